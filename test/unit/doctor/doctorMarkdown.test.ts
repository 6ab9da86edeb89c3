import { strict as assert } from 'node:assert';
import MarkdownIt from 'markdown-it';
import { markdownOf } from '../../../src/doctor/doctorMarkdown.ts';
import type { DoctorReport } from '../../../src/doctor/doctorReport.ts';

/** What renders Markdown with all that the editor's preview has on, and more: HTML, and each address that could be one becomes a link. */
const renderer = new MarkdownIt({ html: true, linkify: true, typographer: false });
renderer.linkify.set({ fuzzyLink: false, fuzzyEmail: true });

const HOSTILE = [
  '[click](command:workbench.action.terminal.new)',
  '![image](https://evil.example/a.png)',
  '<img src=x onerror=alert(1)>',
  '<a href="https://evil.example">x</a>',
  '<script>alert(1)</script>',
  '<!-- hidden -->',
  'see https://evil.example/path now',
  'see //evil.example or mailto:a@evil.example, b@evil.example',
  'file:///etc/passwd',
  '<https://evil.example>',
  '[x]: https://evil.example',
  '[x][y] ![z]',
  '`end` <b>b</b> ``two`` `one',
  '`a`<b>b</b>`c`',
  '`a`.`b <i>i</i>',
  '“`a`<i>i</i>',
  '*Connect*<b>b</b> *Connect <u>u</u>*',
  '**bold** __bold__ ~~gone~~ _x_',
  String.raw`\<b>b</b> \`<i>i</i>` + '`',
  'a | b | c\\| <b>b</b> \\\\| `d | e`',
  '&lt;b&gt; &#60;img&#62;',
  '# heading\n\n- list\n\n<b>b</b>\n\n```mermaid\ngraph\n```',
  '$\\href{https://evil.example}{x}$',
  '\u202emoc.elpmaxe',
  '](x) <b>',
  '``` <b>b</b>',
];

function report(text: string): DoctorReport {
  const problem = { file: text, line: 1, column: 1, severity: 'error', code: 'x' } as const;
  const command = { path: text, found: true };
  const connect = { state: 'failed', tools: 0, error: text };
  return {
    sources: [
      { scope: 'user', file: text, status: 'found' },
      { scope: 'user', file: text, status: 'absent' },
    ],
    servers: [
      { name: text, scope: 'project', file: text, line: 1, transport: text, state: 'ready', command, connect },
      { name: 'other', scope: 'project', file: 'f', line: 1, transport: 'stdio', state: 'blocked', reason: text },
    ],
    problems: [
      { ...problem, message: text, fix: text },
      { ...problem, message: `${text} was there.` },
    ],
  };
}

const ALLOWED = /^<\/?(?:h1|h2|p|table|thead|tbody|tr|th|td|strong|ul|li|code|em)>$/;

describe('the report of Doctor as a document', () => {
  it('has nothing active in it, whatever servers and files are called and say', () => {
    for (const text of [...HOSTILE, HOSTILE.join(' '), HOSTILE.toReversed().join('')]) {
      const html = renderer.render(markdownOf(report(text)));
      const tags = html.match(/<[^>]*>/g) ?? [];
      assert.deepEqual(
        tags.filter((tag) => !ALLOWED.test(tag)),
        [],
        `${text}\n${html}`,
      );
      // Nothing makes or ends a row, a part or a place in the list.
      const count = (tag: string): number => tags.filter((each) => each === tag).length;
      assert.deepEqual([count('<tr>'), count('<td>'), count('<h2>'), count('<li>')], [3, 12, 5, 4], html);
      assert.doesNotMatch(html, /[\u202e]/);
      assert.doesNotMatch(html.replaceAll(/<code>[^]*?<\/code>/g, ''), /evil|\/etc|\$/, html);
    }
  });

  it('says all of it, and a plain text as it is', () => {
    const shown = (text: string): string =>
      renderer.render(markdownOf(report(text))).replaceAll(/<[^>]*>/g, '').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&'); // prettier-ignore
    for (const text of HOSTILE.filter((each) => !/[\n\u202e]|\*Connect\*|^`end`|`a`/.test(each)))
      assert.ok(shown(text).includes(text), `${text}\n${shown(text)}`);
    const plain = 'Set "FOO" in `env`, then *Connect Again*: (1 of 2) ~/notes, C:/x: 5 %.';
    assert.equal(markdownOf(report(plain)).split(plain).length - 1, 14);
  });
});
