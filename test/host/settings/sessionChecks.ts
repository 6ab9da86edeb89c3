import * as vscode from 'vscode';
import { startInEditor } from '../../../src/bridge/gateway/editor/serverOptions.ts';
import { eventually, EXTENSION_ID, exportsOf } from '../support.ts';
import type { Check } from './checks.ts';
import type { Probe } from './probe.ts';

const PREFIX = 'mcpSwitchboard';
const QUESTION = { messages: [{ role: 'user', content: { type: 'text', text: 'Six times seven?' } }], maxTokens: 100 };

/** What goes on while a server is connected. */
export function sessionChecks(probe: Probe, published: Published): Record<string, Check> {
  const { server } = probe;
  let allowed: Promise<void> | undefined;
  return {
    [`${PREFIX}.listDebounceMs`]: {
      effect: () =>
        comesBefore(probe, 'tools/list', { listDebounceMs: 300 }, () => {
          for (const path of ['usual', 'reference']) server.notify('notifications/tools/list_changed', path);
        }),
      shows: [
        [undefined, true],
        [60_000, false],
      ],
    },
    [`${PREFIX}.keepAliveMs`]: {
      effect: () => comesBefore(probe, 'ping', { keepAliveMs: 2_000 }, () => undefined),
      shows: [
        [1_000, true],
        [undefined, false],
      ],
    },
    [`${PREFIX}.recorder.minutes`]: {
      effect: () => isKept(probe),
      shows: [
        [undefined, true],
        [0, false],
      ],
    },
    [`${PREFIX}.recorder.megabytes`]: {
      effect: () => isKept(probe),
      shows: [
        [undefined, true],
        [0, false],
      ],
    },
    [`${PREFIX}.tracing.endpoint`]: {
      effect: () => isTraced(probe),
      shows: [
        [undefined, false],
        ['http://127.0.0.1:9', true],
        ['', false],
      ],
    },
    [`${PREFIX}.roots`]: {
      effect: async () => ((await server.ask('roots/list')) as { roots: readonly object[] }).roots.length,
      shows: [
        [undefined, 1],
        [{ probe: 'none' }, 0],
        [{ '*': 'none', probe: 'all' }, 1],
      ],
    },
    [`${PREFIX}.sampling.enabled`]: {
      effect: () => samplingCapability(probe),
      shows: [
        [undefined, {}],
        [false, 'none'],
      ],
    },
    [`${PREFIX}.sampling.allowTools`]: {
      effect: () => samplingCapability(probe),
      shows: [
        [undefined, {}],
        [true, { tools: {} }],
      ],
    },
    [`${PREFIX}.sampling.requestsPerHour`]: {
      effect: async () => {
        const answer = await probe.unanswered(server.ask('sampling/createMessage', QUESTION));
        return /(\d+) requests per hour/.exec(String(answer))?.[1] ?? 'asks';
      },
      shows: [
        [undefined, 'asks'],
        [1, '1'],
      ],
    },
    [`${PREFIX}.sampling.review`]: {
      effect: async () => {
        await (allowed ??= samplingCapability(probe).then(() => allowSampling(probe)));
        return reviewed(probe);
      },
      shows: [
        [undefined, []],
        ['request', ['json']],
        ['answer', ['markdown']],
      ],
    },
    [`${PREFIX}.gateway.agentHostSessions`]: {
      effect: () => (published.definitions.some(({ headers }) => headers['authorization']) ? 'given' : 'not given'),
      shows: [
        [undefined, 'given'],
        [false, 'not given'],
      ],
    },
  };
}

/** What the editor knows of the endpoints: it asks when it is told that something changed, and keeps the answer. */
export class Published {
  definitions: readonly vscode.McpHttpServerDefinition[] = [];
  #subscription: vscode.Disposable | undefined;

  async open(): Promise<void> {
    const { gateway } = await exportsOf();
    const ask = (): void => void (this.definitions = gateway.provideMcpServerDefinitions());
    this.#subscription = gateway.onDidChangeMcpServerDefinitions(ask);
    ask();
  }

  /** The editor starts what is new when a message is sent to its agent. */
  async start(label: string): Promise<void> {
    await eventually('it is published', () => this.definitions.some((each) => each.label === label));
    await startInEditor([`${EXTENSION_ID}/${label}`]);
  }

  close(): void {
    this.#subscription?.dispose();
  }
}

/** Whether a call comes to its server as part of a trace. */
async function isTraced(probe: Probe): Promise<boolean> {
  let meta: unknown;
  const answer = (_path: string, params: Readonly<Record<string, unknown>>): object => {
    meta = params['_meta'];
    return { content: [{ type: 'text', text: 'done' }] };
  };
  await probe.answering('tools/call', answer, () => probe.call('read'));
  return typeof meta === 'object' && meta !== null && 'traceparent' in meta;
}

/** Whether what passes is in memory a moment later. */
async function isKept(probe: Probe): Promise<boolean> {
  const { host } = await exportsOf();
  const id = await probe.id('probe');
  const recorder = await host.recorder();
  // Told of whatever the setting is: then it would be kept.
  let told = 0;
  const subscription = recorder.onEvent(({ seq, server }) => (told = server === id ? seq : told));
  try {
    await probe.server.ask('ping');
    await eventually('the recorder is told', () => told > 0);
    return recorder.recent().some(({ seq }) => seq === told);
  } finally {
    subscription.dispose();
  }
}

/**
 * Two servers, of which one has a number of its own for `method`: whether the other is asked before that one is. Timers of
 * one process run out in their order, however busy it is.
 */
async function comesBefore(probe: Probe, method: string, own: object, begin: () => void): Promise<boolean> {
  const { server } = probe;
  return probe.beside({ usual: probe.entry('usual'), reference: probe.entry('reference', own) }, async () => {
    for (const name of ['usual', 'reference']) {
      await probe.state(name, 'connected');
      await eventually('it listens', () => server.hasStream(name));
    }
    const [usual, reference] = ['usual', 'reference'].map((path) => server.count(method, path)) as [number, number];
    begin();
    await eventually('the reference is asked', () => server.count(method, 'reference') > reference);
    return server.count(method, 'usual') > usual;
  });
}

/** What a server is told of sampling when it is connected anew. */
async function samplingCapability(probe: Probe): Promise<unknown> {
  const { host } = await exportsOf();
  await host.pool.restart(await probe.id('probe'));
  await eventually('it listens', () => probe.server.hasStream());
  return probe.server.capabilities['sampling'] ?? 'none';
}

/** The languages of the documents that come up for a look, which is refused. */
async function reviewed(probe: Probe): Promise<readonly string[]> {
  const languages: string[] = [];
  const opened = vscode.workspace.onDidOpenTextDocument(({ languageId, isUntitled }) => {
    if (isUntitled) languages.push(languageId);
  });
  try {
    await probe.unanswered(probe.server.ask('sampling/createMessage', QUESTION));
    return languages;
  } finally {
    opened.dispose();
  }
}

/** The server may ask models in this session: the third answer to the question about that. */
async function allowSampling(probe: Probe): Promise<void> {
  let isAllowed = false;
  const ask = async (): Promise<void> => {
    while (!isAllowed) isAllowed = typeof (await probe.server.ask('sampling/createMessage', QUESTION)) === 'object';
  };
  const asked = ask();
  await eventually('it is allowed', async () => {
    for (const command of ['quickOpenSelectNext', 'quickOpenSelectNext', 'acceptSelectedQuickOpenItem'])
      await vscode.commands.executeCommand(`workbench.action.${command}`);
    return isAllowed;
  });
  return asked;
}
