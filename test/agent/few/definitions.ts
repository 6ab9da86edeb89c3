import { strict as assert } from 'node:assert';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../scripts/lib/paths.mjs';
import { ScriptedServer } from '../../host/settings/scriptedServer.ts';
import type { AgentWindow } from '../../support/agentWindow.ts';
import { editServers } from '../../support/demoServers.ts';
import { callTool, type Step } from '../../support/script.ts';
import type { UseSharedWindow } from '../../support/sharedWindow.ts';
import { tlsFront, type TlsFront } from '../../support/tlsFront.ts';
import { doctorReport } from '../../support/webPages.ts';

const JOT = {
  tool: 'add_note',
  description: 'Keeps a thought.',
  inputSchema: { type: 'object', properties: { thought: { type: 'string' } }, required: ['thought'] },
  arguments: { title: 'Thought of {{thought}}', text: 'kept at the desk' },
};
const REFUSED = { status: 503 };

export function definitions(useWindow: UseSharedWindow): void {
  describe('what the user’s settings define', () => {
    let window: AgentWindow;
    let front: TlsFront;
    const scripted = new ScriptedServer();
    const path = (file: string): string => join(window.folder, '.data', file);
    const read = (file: string): string => (existsSync(path(file)) ? readFileSync(path(file), 'utf8') : '');
    const notes = (folder: string, more: object = {}): object => ({
      command: process.execPath,
      args: [join(root, 'demo/notes-server/main.js'), folder],
      env: { NOTES_DIR: path(folder) },
      ...more,
    });
    const native = (name: string, input: object): Step => ({ call: { name: `mcp__${name}`, input } });

    before(async () => {
      await scripted.start();
      front = await tlsFront(Number(new URL(scripted.url()).port));
    });

    useWindow({ 'mcpSwitchboard.toolExposure': 'native' }, async (opened) => {
      window = opened;
      const command = `cat > '${path('heard.json')}'; echo '{"hookSpecificOutput":{"additionalContext":"read the second one"}}'`;
      await window.changeSettings({
        'mcpSwitchboard.servers': {
          desk: notes('desk', { customTools: { jot: JOT } }),
          later: notes('later', { startMode: 'onDemand' }),
          flaky: { type: 'http', url: scripted.url('flaky') },
        },
        'mcpSwitchboard.hooks': {
          PostToolUse: [{ matcher: 'mcp__desk__list_.*', hooks: [{ type: 'command', command }] }],
        },
        'mcpSwitchboard.history.auditFile': path('audit.jsonl'),
      });
      await window.showTree();
      await window.treeRow('desk', '4 tools').waitFor();
      await window.treeRow('flaky', '3 tools').waitFor();
    });

    after(async () => {
      await front.close();
      await scripted.close();
    });

    it('a custom tool is offered with its own schema, and its call is one of the server’s tool with the arguments of its template', async () => {
      const { offered } = await window.untilOffered('mcp__desk__jot');
      const jot = offered.find(({ name }) => name === 'mcp__desk__jot');
      assert.match(jot?.description ?? '', /Keeps a thought\./);
      assert.match(JSON.stringify(jot?.inputSchema), /"thought"/);
      await window.send(native('desk__jot', { idea: 'x' }));
      assert.match(await window.result(), /thought/);
      await window.send(callTool('desk__jot', { thought: 'tea' }));
      await window.cardButton('Allow Once').waitFor();
      await window.screenshot('custom-tool-asks');
      await window.cardButton('Allow Once').click();
      assert.match(await window.result(), /Added the note "Thought of tea"/);
      await window.send(callTool('desk__list_notes'));
      assert.match(await window.result(), /Thought of tea: kept at the desk/);
    });

    it('a hook after the call hears of it, and the model of what the hook adds', async () => {
      await window.send(native('desk__list_notes', {}));
      assert.match(await window.result(), /Thought of tea[\s\S]*read the second one/);
      const heard = JSON.parse(read('heard.json')) as Readonly<Record<string, unknown>>;
      assert.equal(heard['hook_event_name'], 'PostToolUse');
      assert.equal(heard['tool_name'], 'mcp__desk__list_notes');
      assert.match(JSON.stringify(heard['tool_response']), /kept at the desk/);
    });

    it('the audit file has a line for each call and decision, without arguments', async () => {
      await window.until(() => read('audit.jsonl').includes('mcp__desk__list_notes'));
      const lines = read('audit.jsonl')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { readonly name?: string; readonly tool?: string });
      const jots = lines.filter((line) => JSON.stringify(line).includes('mcp__desk__jot'));
      assert.ok(jots.length > 0, read('audit.jsonl'));
      assert.match(JSON.stringify(jots.at(-1)), /"allow"|once/);
      assert.doesNotMatch(read('audit.jsonl'), /Thought of tea|kept at the desk/);
    });

    it('a server on demand starts with its first use in the chat', async () => {
      const runs = (): boolean => window.editor.processes().some(({ command }) => command.endsWith('main.js later'));
      // It ran once, so that its tools are known.
      await window.treeRow('later', '4 tools').waitFor();
      await window.runOnServer('Disable', 'Select a server to disable', 'later');
      await window.until(() => !runs());
      await window.runOnServer('Enable', 'Select a server to enable', 'later');
      await window.treeRow('later', 'Disconnected').waitFor();
      assert.ok(!runs());
      await window.send(callTool('later__add_note', { title: 'Late', text: 'x' }));
      await window.cardButton('Allow Once').click();
      assert.match(await window.result(), /Added the note "Late"/);
      assert.ok(runs());
      await window.treeRow('later', '4 tools').waitFor();
      await window.screenshot('on-demand-started');
    });

    it('a call that fails is made again as often as MCP_RETRY_CONFIG says', async () => {
      scripted.answers.set('tools/call', () => REFUSED);
      await window.send(callTool('flaky__read'));
      assert.match(await window.result(), /HTTP 503/);
      assert.equal(scripted.count('tools/call', 'flaky'), 2);
      scripted.answers.delete('tools/call');
    });

    it('a server with a certificate of its own connects once its fingerprint, which the report has, is in the entry', async () => {
      const url = `https://127.0.0.1:${front.port}/secured`;
      const write = (entry: object): void =>
        editServers(window.folder, (servers) => Object.assign(servers, { secured: entry }));
      write({ type: 'http', url });
      await window.treeRow('secured', 'Needs approval').waitFor();
      await window.runOnServer('Approve…', 'Select a server to approve', 'secured');
      await window.pickRow('Approve').click();
      await window.treeRow('secured', 'Failed').waitFor();
      await window.runCommand('MCP Switchboard: Doctor');
      const edit = /"tls": \{ "fingerprint": "([0-9A-F]{64})" \}/;
      const report = await doctorReport(window, edit);
      const found = edit.exec(await report.locator('body').innerText())?.[1];
      await window.screenshot('certificate-in-the-report');
      assert.equal(found, front.fingerprint);
      assert.equal(scripted.count('initialize', 'secured'), 0, 'nothing was sent before');
      write({ type: 'http', url, tls: { fingerprint: found } });
      await window.treeRow('secured', 'Changed; needs approval').waitFor();
      await window.runOnServer('Approve…', 'Select a server to approve', 'secured');
      await window.page.getByText('Trusts the certificate with this fingerprint alone').first().waitFor();
      await window.screenshot('certificate-to-approve');
      await window.answerNotification('Approve');
      await window.treeRow('secured', '3 tools').waitFor();
      await window.send(callTool('secured__read'));
      assert.equal(await window.result(), 'done');
      editServers(window.folder, (servers) => delete servers['secured']);
      await window.serverRow('secured').waitFor({ state: 'detached' });
    });

    it('the report shows hostile names, and has nothing active in it; its source can be copied', async () => {
      const names = ['[run](command:workbench.action.closeWindow)', '<img src=x onerror=alert(1)><b>b</b>', 'at https://127.0.0.1/x']; // prettier-ignore
      editServers(window.folder, (servers) => {
        for (const name of names) servers[name] = { command: 'none', args: [] };
      });
      for (const name of names) await window.treeRow(name, 'Needs approval').waitFor();
      await window.runCommand('MCP Switchboard: Doctor');
      const report = await doctorReport(window, /at https:/);
      await window.screenshot('report-of-hostile-names');
      const shown = await report.locator('body').innerText();
      for (const name of names) assert.ok(shown.includes(name.replace('command:', 'command :')), name);
      const active = report.locator('table :is(a, img, b, script), li :is(a, img, b, script)');
      assert.deepEqual(await active.evaluateAll((all) => all.map(({ outerHTML }) => outerHTML)), []);
      await window.answerNotification('Copy Report');
      await window.until(async () => {
        const copied = String(await window.page.evaluate('navigator.clipboard.readText()'));
        return copied.startsWith('# MCP Switchboard: Doctor\n') && copied.includes('## Versions');
      });
      editServers(window.folder, (servers) => {
        for (const name of names) delete servers[name];
      });
      await window.treeRow('https:').waitFor({ state: 'detached' });
    });
  });
}
