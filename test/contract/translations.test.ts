import { strict as assert } from 'node:assert';
import { LANGUAGES, textSources, translationFaults } from '../../scripts/lib/translations.mjs';

describe('translations', () => {
  it('have no value within braces of a text, where the editor doesn’t see it', () => {
    const texts = textSources().flatMap(({ english }) => Object.values(english));
    assert.deepEqual(
      texts.filter((text) => /\{[^}]*\{\d+\}/.test(text)),
      [],
    );
  });

  for (const language of LANGUAGES) {
    it(`into ${language} have each text of the code and the manifest, with its placeholders, code and links`, () => {
      assert.deepEqual(translationFaults(language), []);
    });
  }
});
