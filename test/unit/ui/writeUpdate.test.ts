import assert from 'node:assert/strict';
import { withOwnHeader } from '../../../src/config/edit/ownHeader.ts';
import { parseSource } from '../../../src/config/read/parseSource.ts';
import type { ServerEntry } from '../../../src/config/configTypes.ts';
import type { Host } from '../../../src/host/host.ts';
import { rememberAnswer } from '../../../src/servers/answersWhileAdding.ts';
import { ServerValues } from '../../../src/servers/inputAnswers.ts';
import { eventually } from '../../support/eventually.ts';
import { withStubbedEditor } from '../../support/stubbedEditor.ts';
import { sourceOf } from '../config/sources.ts';

const source = sourceOf({ file: '/w/mcp.json' });
const kept = { file: '', chosen: undefined as string | undefined };
const uri = { fsPath: '/w/mcp.json', toString: () => 'file:///w/mcp.json' };
const answer = async (): Promise<string | undefined> => kept.chosen;

const stub = {
  ConfigurationTarget: { Global: 1 },
  Uri: { file: () => uri },
  l10n: { t: (text: string) => text },
  window: { showInformationMessage: answer, showWarningMessage: answer, showErrorMessage: answer },
  workspace: {
    textDocuments: [],
    getWorkspaceFolder: () => undefined,
    fs: {
      readFile: async () => new TextEncoder().encode(kept.file),
      writeFile: async (_uri: unknown, bytes: Uint8Array) => {
        kept.file = new TextDecoder().decode(bytes);
      },
    },
  },
};

const secret = (letter: string): string => `ghp_${letter.repeat(20)}0123456789abcdef`;

describe('ui/writeUpdate', () => {
  it('gives an input that stays its new answer, forgets that of one that goes, and takes both back', async () => {
    const { writeUpdate } = await withStubbedEditor(stub, () => import('../../../src/ui/add/registry/writeUpdate.ts'));
    const secrets = new Map<string, string>();
    const values = new ServerValues({
      ask: async () => undefined,
      runCommand: async () => undefined,
      secrets: {
        get: async (key) => secrets.get(key),
        set: async (key, value) => void (value === undefined ? secrets.delete(key) : secrets.set(key, value)),
      },
    });
    const restarted: string[] = [];
    const read = (): ServerEntry => {
      const [entry] = parseSource(source, kept.file).entries;
      assert.ok(entry);
      return entry;
    };
    const host = {
      values,
      config: { reload: async () => undefined },
      servers: {
        get definitions() {
          return [{ id: 'remote', entry: read(), status: { kind: 'off' } }];
        },
      },
      pool: {
        get: () => ({ state: { kind: 'connected' } }),
        restart: async (id: string) => void restarted.push(id),
      },
    } as unknown as Host;
    const set = async (value: string): Promise<void> => {
      const entry = read();
      const next = withOwnHeader(entry, 'Authorization', value);
      assert.ok(next);
      await writeUpdate(host, entry, next.server, { change: next.change, isExact: true });
    };
    const answers = (): string[] => [...secrets.values()].map((value) => value.replace(/^.* /, ''));

    kept.file = JSON.stringify({ mcpServers: { remote: { url: 'https://example.com/mcp' } } });
    await set(`Bearer ${secret('a')}`);
    assert.deepEqual(answers(), [secret('a')]);
    assert.deepEqual(restarted, []);
    const [input] = read().inputs ?? [];
    assert.ok(input);
    await set(`Bearer ${secret('b')}`);
    assert.deepEqual(answers(), [secret('b')]);
    // The definition is the same, so nothing else would tell the server.
    assert.deepEqual(restarted, ['remote']);
    kept.chosen = 'Undo';
    await set(`Bearer ${secret('c')}`);
    await eventually('undone', () => restarted.length === 3);
    assert.deepEqual(answers(), [secret('b')]);
    kept.chosen = undefined;
    await set('none');
    assert.deepEqual(answers(), []);
    assert.equal(await values.input(read(), input), undefined);
    await rememberAnswer(values, read(), input, undefined);
  });
});
