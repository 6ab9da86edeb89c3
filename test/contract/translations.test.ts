import { strict as assert } from 'node:assert';
import { LANGUAGES, textFaults, textSources, translationFaults } from '../../scripts/lib/translations.mjs';

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

  it('may not add what the English hasn’t: a link, a command, a value once more, or what nobody sees', () => {
    const text = 'Open [the log](command:log.show) of {0}, see https://example.com/a.';
    const good = 'Öffnen Sie [das Protokoll](command:log.show) von {0}, siehe https://example.com/a。';
    assert.deepEqual(textFaults(text, good), []);
    for (const more of [
      ' [x](command:evil)',
      ' command:evil',
      ' https://evil.example',
      ' {0}',
      ' {9}',
      '\u202e',
      '\0',
      '\r',
    ])
      assert.equal(textFaults(text, good + more).length > 0, true, JSON.stringify(more));
    for (const less of ['(command:log.show)', '{0}', 'https://example.com/a'])
      assert.equal(textFaults(text, good.replace(less, '')).length > 0, true, less);
    assert.equal(textFaults(text, good.replace('](', '] (')).length > 0, true);
  });
});
