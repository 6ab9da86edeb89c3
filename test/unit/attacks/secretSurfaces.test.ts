import { strict as assert } from 'node:assert';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inspect } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { root } from '../../../scripts/lib/paths.mjs';
import { systemClock } from '../../../src/base/clock.ts';
import { messageOf } from '../../../src/base/errors.ts';
import { callForExtension } from '../../../src/bridge/api/apiCalls.ts';
import { serverShape } from '../../../src/bridge/api/apiShapes.ts';
import { Gateway } from '../../../src/bridge/gateway/gateway.ts';
import { DEFAULT_CALL_SETTINGS } from '../../../src/calls/callSettings.ts';
import type { ConfigSource } from '../../../src/config/configTypes.ts';
import { describeState } from '../../../src/connection/connectionState.ts';
import { saveRecording } from '../../../src/connection/recording/recordingWriter.ts';
import { runDoctor } from '../../../src/doctor/runDoctor.ts';
import { unavailableServers } from '../../../src/host/unavailableServers.ts';
import { launchText } from '../../../src/servers/trust/summary/launchSummary.ts';
import { NodeConfigPorts } from '../../support/nodeConfigPorts.ts';
import { SecretSweep } from '../../support/secretSweep.ts';
import { withStubbedEditor } from '../../support/stubbedEditor.ts';
import { TestHost } from '../../support/testHost.ts';
import { wording } from '../bridge/gatewayRig.ts';
import { connectListening } from '../bridge/gatewaySupport.ts';

const LEAKY = path.join(root, 'test/fixtures/servers/leaky.mjs');
/** A tool for each way to repeat what it was given. What comes as a result is data, and stays as it is. */
const TOOLS = { log: 'result', progress: 'result', error: 'error', failed: 'error', data: 'error' } as const;

/** What the user gave, by how. */
const GIVEN = {
  env: 'swept-env-7Qz"x\\y/+z',
  input: 'swept-input-4Rt=%w8',
  file: 'swept-file-9Lp#kk3',
  argument: 'swept-argument-2Vb',
  header: 'swept-header-5Tg',
  query: 'swept-query-6Yh',
  helper: 'swept-helper-1Ax',
} as const;

class Part {
  readonly value: unknown;
  constructor(value: unknown) {
    this.value = value;
  }
}
class Markdown {
  value = '';
  appendMarkdown(text: string): void {
    this.value += text;
  }
  appendCodeblock(text: string): void {
    this.value += text;
  }
}
const t = (text: string, ...values: readonly unknown[]): string =>
  text.replaceAll(/\{(\d)\}/g, (_, at: string) => String(values[Number(at)]));
const editor = {
  ...{ l10n: { t }, env: { language: 'en' }, MarkdownString: Markdown, LanguageModelToolResult: Part },
  ...{ LanguageModelTextPart: Part, LanguageModelDataPart: Part, LanguageModelToolResultPart: Part },
};
const { invoke, runCalls, inspectorOf, serverTooltip } = await withStubbedEditor(editor, async () => ({
  ...(await import('../../../src/bridge/lmTools/lmToolRuns.ts')),
  ...(await import('../../../src/bridge/participant/runTools.ts')),
  ...(await import('../../../src/ui/pages/inspector/inspectorPage.ts')),
  ...(await import('../../../src/ui/servers/tree/serverTooltip.ts')),
}));

const TOKEN = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose: () => undefined }) };
const noted = (work: Promise<unknown>): Promise<unknown> =>
  work.catch((error: unknown) => [messageOf(error), JSON.stringify(error)]);

describe('attacks: secrets on every surface', function () {
  this.timeout(120_000);
  let folder: string;
  let remote: Server;

  beforeEach(async () => {
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'switchboard-surfaces-')));
    mkdirSync(path.join(folder, 'repo'));
    remote = createServer(({ url, headers }, response) => {
      response.writeHead(500).end(`${url} ${JSON.stringify(headers)}`);
    });
    await new Promise<void>((resolve) => remote.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => {
    remote.closeAllConnections();
    remote.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  /** Servers that repeat all that they are given: one that works, one that dies, one elsewhere. */
  function servers(): object {
    const envFile = path.join(folder, '.env');
    writeFileSync(envFile, `GIVEN_FILE="${GIVEN.file}"\n`);
    const helper = path.join(folder, 'helper.mjs');
    writeFileSync(helper, `console.log(JSON.stringify({ 'X-Token': ${JSON.stringify(GIVEN.helper)} }))`);
    const local = {
      command: process.execPath,
      args: [LEAKY, '--token', GIVEN.argument],
      env: { GIVEN_ENV: GIVEN.env, GIVEN_INPUT: '${input:key}', LEAKY_WRITES: 'yes' },
      envFile,
    };
    return {
      leaky: local,
      dying: { ...local, env: { ...local.env, GIVEN_DIE: 'yes' } },
      remote: {
        type: 'http',
        url: `http://127.0.0.1:${(remote.address() as AddressInfo).port}/mcp?api_key=${GIVEN.query}`,
        headers: { Authorization: `Bearer ${GIVEN.header}` },
        headersHelper: `"${process.execPath}" "${helper}"`,
      },
    };
  }

  it('A call goes through every surface, with servers that repeat what they were given', async () => {
    const sweep = new SecretSweep();
    for (const [kind, value] of Object.entries(GIVEN)) sweep.add(kind, value);
    const home = path.join(folder, 'home/.config/Code/User');
    mkdirSync(home, { recursive: true });
    const file = path.join(home, 'mcp.json');
    writeFileSync(file, JSON.stringify({ servers: servers(), inputs: [{ id: 'key', type: 'promptString' }] }));
    const source: ConfigSource = { id: 'user:file', scope: 'user', format: 'mcp', label: 'mcp.json', file };
    const log: string[] = [];
    const logger = { log: (level: string, message: string) => void log.push(`${level}: ${message}`) };
    const auditFile = path.join(folder, 'audit.jsonl');
    const state = path.join(folder, 'state');
    const rig = new TestHost({
      folder: path.join(folder, 'repo'),
      answer: 'once',
      settings: { reconnect: { initialDelayMs: 1, maxDelayMs: 1, maxAttempts: 0, healthyAfterMs: 0 } },
      ports: {
        log: logger,
        serverLog: () => logger,
        config: new NodeConfigPorts([source]),
        stateDir: state,
        values: {
          ask: async () => GIVEN.input,
          runCommand: async () => undefined,
          secrets: { get: async () => undefined, set: async () => undefined },
        },
        calls: { settings: () => ({ ...DEFAULT_CALL_SETTINGS, historyContent: true, auditFile }) },
      },
    });
    const { host } = rig;
    const gateway = new Gateway({
      ...{ host, clock: systemClock, version: '0', wording, settings: () => ({ exposure: 'native' as const }) },
    });
    const client = new Client({ name: 'peer', version: '0' }, { versionNegotiation: { mode: 'legacy' } });
    try {
      await host.start();
      await gateway.start();
      await rig.approveAll();
      await rig.until(() => host.catalog.tools.length > 0);
      gateway.refresh();
      const page = inspectorOf(host);
      await page.look({});
      const surfaces: Record<string, (name: string) => Promise<unknown>> = {
        'language model tools': (name) =>
          invoke(
            {
              ...{ name: 'mcp_call_tool', schema: { type: 'object' }, host, offerSignIn: async () => undefined },
              settings: () => ({
                ...{
                  maxToolsPerSearch: 5,
                  summaryDescriptionLimit: 80,
                  isGatewayEnabled: true,
                  exposesSummaries: false,
                },
              }),
            },
            { input: { name, arguments: {} }, toolInvocationToken: undefined },
            TOKEN,
          ),
        API: (name) =>
          callForExtension(
            { host, caller: 'a.b' },
            name,
            {},
            { onProgress: (said) => sweep.look('progress for the API', said) },
          ),
        participant: (name) => {
          const told: unknown[] = [];
          const stream = new Proxy({}, { get: () => (said: unknown) => void told.push(said) });
          const ports = {
            host,
            request: {},
            stream,
            token: TOKEN,
            signal: AbortSignal.timeout(60_000),
            onSignInOffered: () => undefined,
          };
          const call = { callId: '1', name, input: {} };
          return runCalls(ports as never, [call] as never, new Set([name])).then((results) => [results, told]);
        },
        plan: async (name) => {
          const { plan } = host.calls;
          await plan.setOn(true);
          await noted(rig.call(name));
          await plan.setOn(false);
          const planned = plan.queue.filter(({ tool }) => tool === name);
          assert.equal(planned.length, 1);
          return [
            plan.queue,
            await host.calls.runPlan(planned, AbortSignal.timeout(60_000)),
            host.calls.failedCalls.all,
          ];
        },
        'run again': (name) =>
          host.broker.callForUser({ name, args: {}, surface: 'run-again', signal: AbortSignal.timeout(60_000) }),
      };
      await connectListening(
        client,
        gateway.endpoints.find(({ serverName }) => serverName === 'leaky')!.url,
        gateway.token,
      );
      surfaces['gateway'] = (name) =>
        client.callTool(
          { name: name.replace('mcp__leaky__', ''), arguments: {} },
          { onprogress: (said) => sweep.look('progress in the gateway', said) },
        );
      for (const [surface, call] of Object.entries(surfaces))
        for (const [tool, comes] of Object.entries(TOOLS)) {
          const said = await noted(call(`mcp__leaky__${tool}`));
          if (comes === 'result') continue;
          sweep.look(`${surface}: ${tool}`, said);
          if (tool !== 'data') assert.match(inspect(said, { depth: 9 }), /•••/, `${surface}: ${tool}`);
        }
      // A tool that dies comes last.
      sweep.look('an error', await noted(rig.call('mcp__leaky__die')));
      for (const tab of [
        'servers',
        'tools',
        'messages',
        'log',
        'timeline',
        'resources',
        'prompts',
        'skills',
        'conformance',
      ]) {
        await page.take({ type: 'choose', id: 'tab', value: tab });
        sweep.look(`the inspector: ${tab}`, await page.content());
      }
      sweep.look('the messages of the inspector', await page.events.recent());
      for (const view of host.views) {
        const facts = {
          ...{ now: Date.now(), use: undefined, timesConnected: 1, account: undefined, warnings: [], rules: [] },
          ...{ leftOut: [], icon: undefined, tools: { enabled: 1, disabled: 0, tokens: 1 } },
        };
        sweep.look(`the tooltip of ${view.definition.name}`, serverTooltip(view, facts).value);
        sweep.look('what the API says of a server', serverShape(view));
        const { transport } = view.definition.entry;
        if (transport.type !== 'sdk') sweep.look('a launch in words', launchText(transport));
        sweep.look('a state', [view.state, describeState(view.state)]);
      }
      const { history, failedCalls } = host.calls;
      assert.ok(history.entries.length >= 6 * Object.keys(TOOLS).length && failedCalls.all.length > 0);
      sweep.look('the history', history.entries);
      sweep.look('failed calls', failedCalls.all);
      sweep.look('questions', rig.questions);
      sweep.look('what is not there', unavailableServers(host));
      assert.ok(log.some((line) => line.includes('[server]')) && log.some((line) => line.includes('[stderr]')));
      sweep.look('the log', log.join('\n'));
      const recorder = await host.recorder();
      const recording = path.join(state, 'recording.jsonl');
      await saveRecording(recording, recorder.recent(), {
        ...{ by: { name: 'test', version: '0' }, platform: 'linux', nameOf: (id: string) => id },
        mask: (text) => host.mask(recorder.mask(host.pool.mask(text))),
      });
      assert.ok(readFileSync(recording, 'utf8').includes('tools/call'));
      await (await host.calls.audit)?.settled();
      assert.ok(readFileSync(auditFile, 'utf8').includes('leaky'));
      sweep.look('the audit file', readFileSync(auditFile, 'utf8'));
      sweep.lookInFiles('the state', state);
    } finally {
      await client.close();
      gateway.dispose();
      await rig.stop();
    }
    for (const format of [['--json'], []]) {
      let text = '';
      const where = ['--workspace', path.join(folder, 'repo'), '--home', path.join(folder, 'home')];
      await runDoctor([...where, '--connect', ...format], (part) => (text += part));
      sweep.look('Doctor', text);
    }
    sweep.assertClean();
  });
});
