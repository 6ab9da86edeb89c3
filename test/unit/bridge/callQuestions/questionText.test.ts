import { strict as assert } from 'node:assert';
import type { JsonObject, JsonValue } from '../../../../src/base/json/json.ts';
import type { Question } from '../../../../src/calls/callTypes.ts';
import { withStubbedEditor } from '../../../support/stubbedEditor.ts';

const t = (text: string, ...values: readonly unknown[]): string =>
  text.replaceAll(/\{(\d)\}/g, (_all, place: string) => String(values[Number(place)]));
const { questionLines, questionMarkdown, questionTitle } = await withStubbedEditor(
  { l10n: { t }, workspace: { textDocuments: [] }, Uri: {}, window: {}, env: {} },
  () => import('../../../../src/bridge/callQuestions/questionText.ts'),
);

function question(args: JsonObject, title = 'Delete a note'): Question {
  const inputSchema = { type: 'object', required: ['title'] };
  const tool = { serverName: 'notes', tool: { name: 'delete_note', title, annotations: {}, inputSchema } };
  return { tool, args, shownArgs: args, reason: 'it is destructive', warnings: [] } as unknown as Question;
}

/** What a card and a list show, in the order in which it is seen. */
function seen(args: JsonObject, title?: string): { readonly card: string; readonly list: string } {
  const asked = question(args, title);
  return {
    card: `${questionTitle(asked)}\n${questionMarkdown(asked)}`,
    list: `${questionTitle(asked)}\n${questionLines(asked).join('\n')}`,
  };
}

const times = (text: string, part: string): number => text.split(part).length - 1;

describe('the arguments in a question', () => {
  it('are none, which is said first', () => {
    for (const text of Object.values(seen({})))
      assert.match(text, /^Allow “Delete a note” on notes\?\nNo arguments\\?\.\n/);
  });

  it('are said once: the one in the title isn’t below it, and the others come first there', () => {
    for (const text of Object.values(seen({ title: 'Ideas' }))) {
      assert.match(text, /^Allow “Delete a note” on notes\? title: "Ideas"\nIt is destructive\\?\.\n/);
      assert.equal(times(text, 'Ideas'), 1);
    }
    for (const text of Object.values(seen({ text: 'Buy milk', title: 'Ideas' }))) {
      assert.match(text, /^Allow “Delete a note” on notes\? title: "Ideas"\ntext: .*"Buy milk"/);
      assert.deepEqual([times(text, 'Ideas'), times(text, 'Buy milk')], [1, 1]);
    }
    const ten = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`name${at}`, `value ${at}`]));
    for (const text of Object.values(seen(ten)))
      for (const value of Object.values(ten)) assert.equal(times(text, `"${value}"`), 1, text);
  });

  it('are whole below the title where it hasn’t all of one', () => {
    const whole: readonly (readonly [name: string, value: JsonValue, shown: RegExp])[] = [
      ['long', '/home/user/projects/a/file/with/a/long/path.md', /title: .*"\/home\/user\/projects\/a\/file\/with\/a\/long\/path\.md"/],
      ['quotes that a title doesn’t keep', 'a “b”', /title: .*"a “b”"/],
      ['blanks in a row', 'a  b', /title: .*"a\u00a0\u00a0b"/],
      ['quotes of other languages', '「a」 «b»', /title: .*"「a」 «b»"/],
      ['a link', '[x](command:y)', /title: .*"\[x\]\u200a\(command:y\)"/],
      ['several values', ['a', 'b'], /title: /],
    ]; // prettier-ignore
    for (const [name, value, shown] of whole) {
      const asked = question({ title: value });
      assert.match(questionMarkdown(asked), shown, name);
      assert.match(questionLines(asked).join('').replaceAll('\u00a0'.repeat(4), ''), shown, name);
    }
  });

  it('hide nothing where they stand in the title alone: lines and directions are written out', () => {
    for (const [value, shown] of [
      ['a\nb', String.raw`"a\nb"`],
      ['a\u202eb', String.raw`"a\u{202e}b"`],
      ['a\u200bb', String.raw`"a\u{200b}b"`],
    ] as const)
      for (const text of Object.values(seen({ title: value }))) {
        assert.ok(text.includes(`title: ${shown}`), text);
        assert.equal(times(text.replaceAll('\\\\', '\\'), shown), 1, text);
      }
  });

  it('are below a title that a list cuts, and in a card, which doesn’t, only in it', () => {
    const { card, list } = seen({ title: 'Ideas for the week' }, 'Delete a note that somebody else has made');
    assert.equal(times(card, 'Ideas for the week'), 1);
    assert.match(list.split('\n')[1] ?? '', /^title: "Ideas for the week"/);
  });

  it('of one of several calls are all below its own line', () => {
    const batch = { ...question({}), batch: [question({ title: 'Ideas' }), question({ title: 'Welcome' })] };
    assert.match(questionMarkdown(batch), /Delete a note.*\n\ntitle: .*"Ideas"[^]*title: .*"Welcome"/);
    assert.ok(questionLines(batch).includes('title: "Welcome"'));
  });
});
