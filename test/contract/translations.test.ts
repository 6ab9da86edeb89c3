import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/lib/paths.mjs';
import { punctuationFaults } from '../../scripts/lib/punctuation.mjs';
import { PLACEHOLDER_ROOM, textWidth } from '../support/textWidth.ts';
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

  for (const language of LANGUAGES) {
    it(`into ${language} have the punctuation, quotes and blanks of their language in VS Code`, () => {
      const files = textSources().map(({ fileFor }) => join(root, fileFor(language)));
      const texts = files.flatMap((file) =>
        Object.values(JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, string>>),
      );
      assert.deepEqual(
        texts.flatMap((text) => punctuationFaults(language, text).map((fault) => `${fault}: ${text}`)),
        [],
      );
    });
  }

  it('leave room for placeholders, which end where the input does', () => {
    const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(join(root, 'src', file), 'utf8'));
    const placeholders = sources.flatMap((source) =>
      // As far as its line, or its expression, goes.
      [...source.matchAll(/\bplace[hH]older(?::| =)([^;,]*(?:,[^;\n]*)?)/g)].flatMap(([, given = '']) =>
        [...given.matchAll(/\bt\('([^']+)'/g)].map(([, text = '']) => text),
      ),
    );
    assert.ok(placeholders.length > 40, `${placeholders.length}`);
    const [{ english, fileFor } = assert.fail()] = textSources();
    const all = LANGUAGES.map(
      (language) => JSON.parse(readFileSync(join(root, fileFor(language)), 'utf8')) as Readonly<Record<string, string>>,
    );
    const texts = new Set(placeholders.flatMap((text) => [english, ...all].map((known) => known[text] ?? text)));
    assert.deepEqual(
      [...texts].filter((text) => textWidth(text) > PLACEHOLDER_ROOM),
      [],
    );
  });

  it('are told apart from what other languages have, and code is left alone', () => {
    const good = {
      ja: '「{0}」を {1} に追加しますか? サーバー ({2}) は `a:b,c` を使用します: {3}。',
      'zh-cn': '要将“{0}”添加到 {1} 吗? 服务器({2})使用 `a:b,c`，见: {3}。',
      de: '„{0}“ zu {1} hinzufügen?',
      es: '¿Agregar «{0}» a {1}?',
    };
    for (const [language, text] of Object.entries(good)) assert.deepEqual(punctuationFaults(language, text), [], text);
    const bad = {
      ja: [
        '完了しました.',
        '追加しますか？',
        '例（{0}）',
        '値, {0}',
        'Node.jsの',
        '“{0}” を',
        '例(1)',
        'エラー:{0}',
        '完了 。',
      ],
      'zh-cn': ['已完成.', '添加吗？', '例（{0}）', '值,{0}', '错误：{0}', 'Node.js的', '「{0}」', '例 ({0})', '你的'],
      de: ['“{0}”'],
      es: ['“{0}”'],
    };
    for (const [language, texts] of Object.entries(bad))
      for (const text of texts) assert.notDeepEqual(punctuationFaults(language, text), [], text);
  });

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
