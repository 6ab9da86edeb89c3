import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../../scripts/lib/paths.mjs';
import { keepApproved } from '../../../src/servers/keepApproved.ts';
import { fingerprintOf } from '../../../src/servers/trust/fingerprint.ts';
import { TestHost } from '../../support/testHost.ts';

const NOTES = {
  command: process.execPath,
  args: [path.join(root, 'demo/notes-server/main.js')],
  env: { NOTES_DIR: '${workspaceFolder}/notes' },
};

describe('a change of ours of which tools a server offers', function () {
  this.timeout(60_000);
  let rig: TestHost;
  const write = (notes: object): void =>
    writeFileSync(path.join(rig.folder, '.mcp.json'), JSON.stringify({ mcpServers: { notes } }));
  const facts = (): unknown[] =>
    rig.host.views.map(({ definition, state, tools }) => [definition.status.kind, state.kind, tools.length]);
  /** Writes the file as an edit of ours would, which expects `tools` to be another and nothing else. */
  const edit = async (file: object, disabled: readonly string[]): Promise<void> => {
    const [before] = rig.host.servers.definitions;
    assert.ok(before);
    await keepApproved(rig.host.servers, before.id, async (expect) => {
      expect(fingerprintOf({ ...before.entry, tools: { disabled } }));
      write(file);
      await rig.host.config.reload();
    });
  };

  beforeEach(async () => {
    rig = new TestHost();
    write(NOTES);
    await rig.host.start();
    await rig.approveAll();
  });

  afterEach(() => rig.stop());

  it('leaves the server running, and approved', async () => {
    const [connection] = rig.host.pool.all;
    const session = connection?.session;
    const seen: unknown[] = [];
    rig.host.onDidChange(() => seen.push(...facts()));
    await edit({ ...NOTES, disabledTools: ['add_note'] }, ['add_note']);
    assert.deepEqual(facts(), [['ready', 'connected', 3]]);
    assert.ok(
      seen.every((each) => JSON.stringify(each).startsWith('["ready","connected"')),
      JSON.stringify(seen),
    );
    assert.ok(session);
    assert.equal(rig.host.pool.all[0]?.session, session);
    assert.deepEqual(rig.host.catalog.toolsOf(rig.host.servers.definitions[0]?.id ?? '').length, 3);
    await rig.host.config.reload();
    assert.deepEqual(facts(), [['ready', 'connected', 3]]);
  });

  it('approves nothing else: what somebody writes at the same time waits for an approval', async () => {
    await edit({ ...NOTES, disabledTools: ['add_note'], args: [...NOTES.args, '--more'] }, ['add_note']);
    assert.deepEqual(facts(), [['needs-approval', 'blocked', 0]]);
    write({ ...NOTES, disabledTools: ['add_note'] });
    await rig.host.config.reload();
    assert.deepEqual(facts(), [['needs-approval', 'blocked', 0]]);
  });

  it('of somebody else still waits for an approval, and the server starts with it', async () => {
    write({ ...NOTES, disabledTools: ['add_note'] });
    await rig.host.config.reload();
    assert.deepEqual(facts(), [['needs-approval', 'blocked', 0]]);
    await rig.approveAll();
    assert.deepEqual(facts(), [['ready', 'connected', 3]]);
  });
});
