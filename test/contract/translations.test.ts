import { strict as assert } from 'node:assert';
import { LANGUAGES, translationFaults } from '../../scripts/lib/translations.mjs';

describe('translations', () => {
  for (const language of LANGUAGES) {
    it(`into ${language} have each text of the code and the manifest, with its placeholders, code and links`, () => {
      assert.deepEqual(translationFaults(language), []);
    });
  }
});
