import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { ANSWERED_COMMANDS, WORKING_COMMANDS } from '../../../../src/bridge/participant/commands/answer.ts';
import { batches } from '../../../../src/bridge/participant/callBatches.ts';
import { callMarkdown, type ShownCall } from '../../../../src/bridge/participant/callMarkdown.ts';
import { commandLink, LINKED_COMMANDS, table } from '../../../../src/bridge/participant/markdown.ts';
import { fenced, linkless } from '../../../../src/bridge/text/markdownText.ts';
import { escaped } from '../../../../src/bridge/text/safeText.ts';
import { argumentValues, readTypedPrompt } from '../../../../src/bridge/participant/commands/promptArguments.ts';
import { kept, transcriptOf, type Round } from '../../../../src/bridge/participant/turnTranscript.ts';

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly chatParticipants: readonly { readonly commands: readonly { readonly name: string }[] }[];
  };
}
const manifest = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../../../../package.json'), 'utf8'),
) as Manifest;

describe('bridge/participant', () => {
  it('has the slash commands that the manifest declares, and links only declared commands', () => {
    const declared = manifest.contributes.chatParticipants[0]?.commands.map(({ name }) => name) ?? [];
    assert.deepEqual([...ANSWERED_COMMANDS, ...WORKING_COMMANDS].sort(), [...declared].sort());
    const commands = new Set(manifest.contributes.commands.map(({ command }) => command));
    assert.deepEqual(
      LINKED_COMMANDS.filter((command) => !commands.has(command)),
      [],
    );
  });

  describe('Markdown', () => {
    it('texts of others stay texts', () => {
      const hostile =
        '[x](command:workbench.action.quit) ![i](https://e.vil/i.png) <b>`*_~#|\n\u202e https://e.vil a@b.c';
      const text = escaped(hostile);
      assert.ok(!text.includes('\n') && !text.includes('\u202e'));
      for (const match of text.matchAll(/[[\]()<>`*_~#|:!@&]/g)) assert.equal(text[match.index - 1], '\\', match[0]);
    });

    it('texts of others have no link and no picture where screen readers read the source', () => {
      const text = linkless('Run [x](command:a) ![i](https://e.vil/i.png) <https://e.vil> `a` a_b\n\u202e');
      assert.ok(!text.includes('\n') && !text.includes('\u202e'));
      for (const match of text.matchAll(/[[\]<`&]/g)) assert.equal(text[match.index - 1], '\\', match[0]);
      assert.equal(linkless('reading a_b (2 of 3)…'), 'reading a_b (2 of 3)…');
    });

    it('a table has one line for each row, whatever is in it', () => {
      fc.assert(
        fc.property(fc.array(fc.tuple(fc.string(), fc.string()), { maxLength: 5 }), (rows) => {
          const lines = table(['a', 'b'], rows).split('\n');
          assert.equal(lines.length, rows.length + 2);
          for (const line of lines.slice(2)) assert.equal(line.match(/(?<!\\)(?:\\\\)*\|/g)?.length, 3, line);
        }),
      );
    });

    it('the arguments of a link can’t end it, and arrive as they were', () => {
      fc.assert(
        fc.property(fc.string(), (id) => {
          const { markdown } = commandLink('Connect', 'mcpSwitchboard.connect', id);
          const query = /^\[Connect\]\(command:mcpSwitchboard\.connect\?([^\s()<>[\]'"]*)\)$/.exec(markdown)?.[1];
          assert.ok(query !== undefined, markdown);
          assert.deepEqual(JSON.parse(decodeURIComponent(query)), [id]);
        }),
      );
    });

    it('a text can’t end its block of code', () => {
      assert.equal(fenced('text', 'a\n```\nb\n````'), '`````text\na\n```\nb\n````\n`````');
    });
  });

  describe('a call as it is shown', () => {
    const call: ShownCall = {
      name: 'mcp__a__b',
      args: { title: 'x' },
      state: 'done',
      label: 'done',
      durationMs: 12.4,
      output: 'fine',
    };

    it('has name, state, arguments and result', () => {
      const text = callMarkdown(call);
      assert.match(text, /\*\*✓ `mcp__a__b`\*\* done, 12 ms/);
      assert.match(text, /"title": "x"/);
      assert.match(text, /```text\nfine\n```/);
      assert.match(callMarkdown({ ...call, state: 'denied', label: 'denied', durationMs: 2_300 }), /⊘.*denied, 2\.3 s/);
      assert.doesNotMatch(callMarkdown({ ...call, args: {}, output: ' ' }), /```/);
    });

    it('shows the beginning of a long result', () => {
      const text = callMarkdown({
        ...call,
        output: Array.from({ length: 500 }, (_, index) => `line ${index}`).join('\n'),
      });
      assert.match(text, /line 11\n… \(\d+ more characters\)/);
      assert.doesNotMatch(text, /line 12\n/);
    });
  });

  it('what reads runs beside its neighbours that read; what writes waits for them, and they for it', () => {
    const plan = (calls: string): string =>
      batches(calls.split(''), (call) => call === 'r')
        .map((batch) => batch.join(''))
        .join(' ');
    assert.equal(plan('rrwrwwrr'), 'rr w r w w rr');
    assert.equal(plan(''), '');
  });

  describe('what is kept of a turn', () => {
    const round = (id: string, length: number): Round => ({
      text: '',
      calls: [{ id, name: 'x', input: {} }],
      results: [{ id, text: 'a'.repeat(length) }],
    });

    it('is what happened, as far as it fits; the oldest results go first', () => {
      const small = { rounds: [round('1', 10)], text: 'end', stopped: false };
      assert.deepEqual(kept(small), small);
      const { rounds } = kept({
        rounds: Array.from({ length: 20 }, (_, index) => round(`${index}`, 9_000)),
        text: '',
        stopped: true,
      });
      assert.equal(rounds.length, 20);
      assert.match(rounds[0]?.results[0]?.text ?? '', /left out/);
      assert.match(rounds[19]?.results[0]?.text ?? '', /^a{8000}… \(cut\)$/);
      assert.ok(JSON.stringify(rounds).length < 80_000);
    });

    it('is read back, and what is none of ours isn’t', () => {
      const transcript = kept({ rounds: [round('1', 10)], text: 'end', stopped: false });
      assert.deepEqual(transcriptOf(JSON.parse(JSON.stringify({ transcript }))), transcript);
      for (const other of [
        undefined,
        {},
        { transcript: 1 },
        { transcript: { rounds: [{}] } },
        { transcript: { rounds: [{ calls: [1], results: [] }] } },
      ])
        assert.equal(transcriptOf(other), undefined);
    });
  });

  describe('what is typed after /prompt', () => {
    const declared = [{ name: 'city' }, { name: 'state' }];
    const values = (text: string): Record<string, string> => argumentValues(readTypedPrompt(text), declared);

    it('names the prompt and its arguments', () => {
      assert.deepEqual(readTypedPrompt(''), { name: '', named: {}, words: [] });
      assert.equal(readTypedPrompt('everything/args-prompt city=Paris').name, 'everything/args-prompt');
      assert.deepEqual(values('p city=Paris state="Île de \\"France\\""'), { city: 'Paris', state: 'Île de "France"' });
      assert.deepEqual(values('p Paris Île de France'), { city: 'Paris', state: 'Île de France' });
      assert.deepEqual(values('p state=x New York'), { state: 'x', city: 'New York' });
      assert.deepEqual(values('p other=1 Paris'), { city: 'Paris' });
      assert.deepEqual(values('"my prompt" a=b'), {});
      assert.equal(readTypedPrompt('"my prompt" a=b').name, 'my prompt');
    });
  });
});
