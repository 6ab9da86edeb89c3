import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client, type ElicitResult } from '@modelcontextprotocol/client';
import { root } from '../../../scripts/lib/paths.mjs';
import { systemClock } from '../../../src/base/clock.ts';
import type { QuestionWording } from '../../../src/bridge/gateway/brokerCall.ts';
import { askedWithin, InCallAsker } from '../../../src/bridge/callQuestions/inCallAsker.ts';
import type { SamplingSettings } from '../../../src/bridge/sampling/samplingSettings.ts';
import { lacksModel, sampleInCall } from '../../../src/bridge/sampling/sampleInCall.ts';
import { elicitInCall } from '../../../src/bridge/serverQuestions/inCallElicitation.ts';
import { Gateway, type PublishedEndpoint } from '../../../src/bridge/gateway/gateway.ts';
import type { ExposureSettings } from '../../../src/bridge/gateway/listedTools.ts';
import { DEFAULT_CALL_SETTINGS, type CallSettings } from '../../../src/calls/callSettings.ts';
import type { PresetSettings } from '../../../src/catalog/presets/readPresets.ts';
import { DEFAULT_LOADING, type LoadingRules } from '../../../src/catalog/exposure/loadedTools.ts';
import { ANSWERS, type Answer, type Question } from '../../../src/calls/callTypes.ts';
import type { HostSettings } from '../../../src/host/hostPorts.ts';
import { TestHost } from '../../support/testHost.ts';
import { connectListening } from './gatewaySupport.ts';

/** What a client is asked, as it comes on the wire. */
export interface Form {
  readonly message: string;
  readonly requestedSchema: { readonly properties: { readonly answer: { readonly enum: readonly string[] } } };
}

/** The broker's question in words of a test. */
export const wording: QuestionWording = {
  choiceOf: ({ tool, lasting }) => ({
    message: `Run ${tool.tool.name}?`,
    field: 'Your answer',
    labels: lasting ? ['deny', 'once', 'session'] : ['deny', 'once'],
  }),
  answerOf: (label) => ANSWERS.find((answer) => answer === label),
};

/** The core with the gateway in front, on the demo's notes server; and clients of the SDK. */
export class GatewayRig {
  readonly questionsElsewhere: Question[] = [];
  answerElsewhere: Answer = 'deny';
  /** What an answer elsewhere waits for. */
  holdElsewhere: Promise<void> | undefined;
  /** Whether servers get an answer of a model that no client has. */
  hasModel = true;
  /** How many questions of servers had to be asked elsewhere. */
  elicitedElsewhere = 0;
  /** How many of all have been answered, or given up. */
  elicited = 0;
  rules: CallSettings['rules'] = [];
  readonly test: TestHost;
  readonly gateway: Gateway;
  settings: ExposureSettings = { exposure: 'native' };
  presets: PresetSettings = { user: undefined, workspace: undefined };
  /** What servers may ask models for. */
  sampling: SamplingSettings = { enabled: true, requestsPerHour: 10, review: 'off', allowTools: true };
  readonly #clients: Client[] = [];

  constructor(loading?: Partial<LoadingRules>, settings?: Partial<HostSettings>) {
    const fallback = {
      ask: async (question: Question) => {
        this.questionsElsewhere.push(question);
        await this.holdElsewhere;
        return this.answerElsewhere;
      },
    };
    this.test = new TestHost({
      ports: {
        presets: () => this.presets,
        asker: new InCallAsker(fallback),
        calls: { settings: () => ({ ...DEFAULT_CALL_SETTINGS, rules: this.rules }) },
        requests: {
          elicit: async (question) => {
            const naming = (server: string, message: string): string => `${server}: ${message}`;
            const answer = elicitInCall(question, this.test.host.calls.inProgress, naming);
            if (!answer) this.elicitedElsewhere += 1;
            const result = (await answer) ?? { action: 'decline' };
            this.elicited += 1;
            return result;
          },
          samplingFor: async () => ({ tools: {}, context: {} }),
          sample: async (question) => {
            const { inProgress } = this.test.host.calls;
            const answer = sampleInCall(question, inProgress, this.sampling);
            if (answer) return answer;
            if (this.hasModel)
              return { role: 'assistant', model: 'ours', content: { type: 'text', text: 'Paris, we say' } };
            lacksModel(question, inProgress);
            throw new Error('There is no model here.');
          },
          rootsInCall: (question) => askedWithin('rootsInCall', question, this.test.host.calls.inProgress),
        },
      },
      settings: { loading: { ...DEFAULT_LOADING, ...loading }, ...settings },
    });
    this.gateway = new Gateway({
      host: this.test.host,
      clock: systemClock,
      version: '0',
      settings: () => this.settings,
      wording,
    });
  }

  /** Reads the servers, of which none is approved. */
  async begin(servers: Readonly<Record<string, object>>): Promise<void> {
    writeFileSync(path.join(this.test.folder, '.mcp.json'), JSON.stringify({ mcpServers: servers }));
    await this.test.host.start();
    await this.gateway.start();
  }

  /** Starts the servers; `notes` is the demo's where none are given. */
  async start(servers: Readonly<Record<string, object>> = { notes: this.notes }): Promise<void> {
    await this.begin(servers);
    await this.test.approveAll();
    await this.test.until(() => this.test.host.catalog.serverIds.length === Object.keys(servers).length);
    // Otherwise it follows in a moment.
    this.gateway.refresh();
  }

  get notes(): object {
    const args = [path.join(root, 'demo/notes-server/main.js')];
    return { command: process.execPath, args, env: { NOTES_DIR: path.join(this.test.folder, 'notes') } };
  }

  endpoint(serverName = 'notes'): PublishedEndpoint {
    const endpoint = this.gateway.endpoints.find((each) => each.serverName === serverName);
    if (!endpoint) throw new Error(`there is no endpoint of ${serverName}`);
    return endpoint;
  }

  /** A client as the editor is one; `answer` fills its forms, and without it it has none. */
  async client(
    answer?: (form: Form) => Promise<ElicitResult> | ElicitResult,
    serverName = 'notes',
    prepare?: (client: Client) => void,
  ): Promise<Client> {
    const client = new Client(
      { name: 'peer', version: '0' },
      { capabilities: answer ? { elicitation: {} } : {}, versionNegotiation: { mode: 'legacy' } },
    );
    if (answer) {
      client.setRequestHandler('elicitation/create', ({ params }) => answer(params as unknown as Form));
    }
    prepare?.(client);
    this.#clients.push(client);
    await connectListening(client, this.endpoint(serverName).url, this.gateway.token);
    return client;
  }

  async stop(): Promise<void> {
    for (const client of this.#clients) await client.close();
    this.gateway.dispose();
    await this.test.stop();
  }
}
