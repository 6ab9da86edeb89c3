import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../../scripts/lib/paths.mjs';
import { outcomeOf } from '../../../src/doctor/connectOutcome.ts';
import { doctorReport } from '../../../src/doctor/doctorReport.ts';
import { markdownOf } from '../../../src/doctor/doctorMarkdown.ts';
import { liveProblems, mayReconnect, serverFaults } from '../../../src/doctor/liveProblems.ts';
import type { Host } from '../../../src/host/host.ts';
import { TestHost } from '../../support/testHost.ts';

/** As *Doctor* in the editor puts it together. */
function textOf(host: Host): string {
  const problems = [...host.problems, ...liveProblems(serverFaults(host.views))];
  const connects = new Map(host.pool.all.map((connection) => [connection.id, outcomeOf(connection)]));
  const { results } = host.config.snapshot;
  const { definitions } = host.servers;
  return markdownOf(doctorReport({ results, definitions, problems, off: [], commands: new Map(), connects }));
}

describe('doctor in the editor: what is so in this window', function () {
  this.timeout(60_000);
  let rig: TestHost;
  const stateOf = (name: string): string | undefined =>
    rig.host.views.find(({ definition }) => definition.name === name)?.state.kind;
  const idOf = (name: string): string =>
    rig.host.views.find(({ definition }) => definition.name === name)?.definition.id ?? '';

  beforeEach(async () => {
    rig = new TestHost();
    const notes = {
      command: process.execPath,
      args: [path.join(root, 'demo/notes-server/main.js')],
      env: { NOTES_DIR: path.join(rig.folder, 'notes') },
    };
    const faulty = { command: process.execPath, args: [path.join(root, 'test/fixtures/servers/faulty.ts'), 'exit-1'] };
    const servers = {
      notes,
      gone: { command: 'no-such-command-anywhere' },
      dies: faulty,
      waits: { ...notes, cwd: '.' },
    };
    writeFileSync(path.join(rig.folder, '.mcp.json'), JSON.stringify({ mcpServers: servers }));
    await rig.host.start();
    await rig.host.servers.approve(['notes', 'gone', 'dies'].map(idOf));
    await rig.until(
      () => stateOf('notes') === 'connected' && stateOf('gone') === 'failed' && stateOf('dies') === 'pending',
    );
  });

  afterEach(() => rig.stop());

  it('each server with its state, and none that failed is called ready', () => {
    const text = textOf(rig.host);
    const rowOf = (name: string): string => new RegExp(`^\\| \\*\\*${name}\\*\\*.*$`, 'm').exec(text)?.[0] ?? '';
    assert.match(rowOf('notes'), /\| connected, protocol \d{4}-\d\d-\d\d, 4 tools \|/);
    assert.match(rowOf('gone'), /\| failed: .*no-such-command-anywhere/);
    assert.match(rowOf('dies'), /\| pending: .*exited with code 1/);
    assert.match(rowOf('waits'), /\| needs-approval \|/);
    assert.doesNotMatch(text, /\| ready/);
  });

  it('each that isn’t there is a problem, at its definition, with the way out', () => {
    const text = textOf(rig.host);
    assert.match(
      text,
      /- \*\*error\*\* \S+\.mcp\.json:\d+:\d+ \(connect-failed\): gone: Failed: .*\*Connect\* tries again\./,
    );
    assert.match(text, /- \*\*warning\*\* \S+ \(reconnecting\): dies: Reconnecting .*\*Show Log\*/);
    assert.match(text, /- \*\*warning\*\* \S+ \(needs-approval\): waits waits for your approval.*\*Review Servers…\*/);
    assert.doesNotMatch(text, /## Problems\n\nNone/);
    assert.deepEqual(
      serverFaults(rig.host.views).map((fault) => [fault.view.definition.name, fault.wayOut, mayReconnect(fault)]),
      [
        ['gone', 'showLog', true],
        ['dies', 'showLog', true],
        ['waits', 'approve', false],
      ],
    );
  });

  it('one that the user disconnected is said to be, until it is connected anew', async () => {
    await rig.host.pool.disconnect(idOf('notes'));
    const faultOf = (): string | undefined =>
      serverFaults(rig.host.views).find(({ view }) => view.definition.name === 'notes')?.message;
    assert.equal(faultOf(), 'notes isn’t connected.');
    assert.match(textOf(rig.host), /\| \*\*notes\*\*.*\| disconnected \|/);
    await rig.host.pool.restart(idOf('notes'));
    assert.equal(faultOf(), undefined);
  });
});
