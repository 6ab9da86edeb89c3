import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundleModule } from '../../../../scripts/lib/bundle-module.mjs';
import { packTexts, writePackedTexts } from '../../../../scripts/lib/packed-texts.mjs';
import { root } from '../../../../scripts/lib/paths.mjs';
import { LANGUAGES } from '../../../../scripts/lib/translations.mjs';
import type * as PackedL10n from '../../../../src/bridge/text/packedL10n.ts';
import { withStubbedEditor } from '../../../support/stubbedEditor.ts';

type Texts = Readonly<Record<string, string>>;

const read = (...file: readonly string[]): Texts => JSON.parse(readFileSync(join(...file), 'utf8')) as Texts;

describe('packed texts', function () {
  this.timeout(20_000);
  /** What the editor has read: none for English. */
  let bundle: Texts | undefined;
  let folder: string;
  let packed: typeof PackedL10n;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'switchboard-texts-'));
    writePackedTexts(folder);
    // As in the package: English texts are looked for beside the module.
    const file = join(folder, 'packedL10n.mjs');
    await bundleModule('src/bridge/text/packedL10n.ts', file, { format: 'esm' });
    const l10n = {
      get bundle(): Texts | undefined {
        return bundle;
      },
    };
    packed = await withStubbedEditor({ l10n }, () => import(pathToFileURL(file).href) as Promise<typeof PackedL10n>);
  });

  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  for (const language of LANGUAGES)
    it(`are those that the translators wrote, in ${language}`, () => {
      bundle = read(folder, `bundle.l10n.${language}.json`);
      const texts = Object.entries(read(root, 'l10n', `bundle.l10n.${language}.json`));
      assert.ok(texts.length > 2_000);
      for (const [english, text] of texts) assert.equal(packed.translationOf(english), text);
      assert.equal(
        packed.packedL10n.t('{0} tools', 4),
        texts.find(([key]) => key === '{0} tools')?.[1].replace('{0}', '4'),
      );
    });

  it('that others wrote aren’t found among them', () => {
    bundle = read(folder, 'bundle.l10n.de.json');
    for (const others of ['constructor', '__proto__', 'texts', 'a text of a server'])
      assert.equal(packed.translationOf(others), undefined);
  });

  it('are English where the editor has none, with their values', () => {
    bundle = undefined;
    assert.equal(packed.packedL10n.t('{0} of {1}, {0}', 1, '{0}'), '1 of {0}, 1');
    assert.equal(packed.packedL10n.t('{0} {1}', true), 'true {1}');
  });

  it('are read as they are from a bundle that isn’t packed', () => {
    bundle = { '{0} tools': '{0} Tools', texts: 'Texte' };
    assert.equal(packed.packedL10n.t('{0} tools', 2), '2 Tools');
    assert.equal(packed.packedL10n.t('texts'), 'Texte');
  });

  it('are English where the texts are those of another build, as many or not', () => {
    const { texts = '', english = '' } = read(folder, 'bundle.l10n.de.json');
    const keys = Object.keys(read(root, 'l10n', 'bundle.l10n.json'));
    const swapped = [keys[1] ?? '', keys[0] ?? '', ...keys.slice(2)];
    for (const other of [
      { texts: 'eins\nzwei', english },
      { texts, english: english.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) },
      JSON.parse(packTexts(swapped, {})) as Texts,
      JSON.parse(packTexts([...keys.slice(0, -1), 'Another text'], {})) as Texts,
    ]) {
      bundle = other;
      assert.equal(packed.packedL10n.t('{0} tools', 3), '3 tools');
      for (const key of keys) assert.equal(packed.translationOf(key), undefined);
    }
  });

  it('are English while the English ones are missing or half written', () => {
    const file = join(folder, 'bundle.l10n.json');
    const text = readFileSync(file, 'utf8');
    try {
      for (const change of [() => writeFileSync(file, text.slice(0, 100)), () => rmSync(file)]) {
        change();
        bundle = { ...read(folder, 'bundle.l10n.de.json') };
        assert.equal(packed.packedL10n.t('{0} tools', 3), '3 tools');
      }
    } finally {
      writeFileSync(file, text);
    }
  });

  it('have one line each, and stay English without a translation', () => {
    const { texts, ...others } = JSON.parse(packTexts(['a', 'b'], { b: 'c' })) as Texts;
    assert.equal(texts, 'a\nc');
    assert.deepEqual(Object.keys(others), ['english']);
    assert.throws(() => packTexts(['a'], { a: 'b\nc' }), /more than one line/);
  });
});
