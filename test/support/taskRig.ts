import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MemoryStore } from '../../src/base/keyValueStore.ts';
import { DEFAULT_CALL_SETTINGS, type CallSettings } from '../../src/calls/callSettings.ts';
import type { CallOutcome, ToolCall } from '../../src/calls/callTypes.ts';
import type { RunningTasks } from '../../src/calls/tasks/runningTasks.ts';
import type { TaskView } from '../../src/calls/tasks/taskView.ts';
import type { ServerRequestPorts } from '../../src/connection/serverQuestionTypes.ts';
import { TaskServer } from './taskServer.ts';
import { TestHost } from './testHost.ts';

/** Who calls, where a test says nothing else: the editor's own agent. */
export const OWNER = 'editor';

/** A server that makes tasks of calls, in both forms, and windows of one workspace that call it. */
export class TaskRig {
  readonly server = new TaskServer();
  readonly stores = { workspace: new MemoryStore(), tasks: new MemoryStore() };
  readonly folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'tasks-')));
  settings: Partial<CallSettings> = {};
  elicit: NonNullable<ServerRequestPorts['elicit']> = async () => ({ action: 'decline' });
  #test: TestHost | undefined;

  get test(): TestHost {
    if (!this.#test) throw new Error('no window is open');
    return this.#test;
  }

  async start(): Promise<void> {
    await this.server.start();
    await this.open();
  }

  /** Opens a window of the workspace, with what the earlier ones kept. */
  async open(): Promise<void> {
    const settings = (): CallSettings => ({ ...DEFAULT_CALL_SETTINGS, handOverMs: 250, ...this.settings });
    this.#test = new TestHost({
      folder: this.folder,
      store: this.stores.workspace,
      ports: {
        calls: { settings, taskStore: this.stores.tasks, resultsFolder: path.join(this.folder, 'results') },
        requests: { elicit: (question) => this.elicit(question) },
      },
    });
    const forms = ['core', 'extension'] as const;
    const mcpServers = Object.fromEntries(forms.map((form) => [form, { type: 'http', url: this.server.url(form) }]));
    writeFileSync(path.join(this.folder, '.mcp.json'), JSON.stringify({ mcpServers }));
    await this.test.host.start();
    await this.test.approveAll();
    await this.test.until(() => this.test.host.catalog.tools.length === 2);
  }

  async stop(): Promise<void> {
    await this.test.stop();
    this.server.stop();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Calls `work` of the server of this form. */
  call(form: string, args: Record<string, string | number>, more: Partial<ToolCall> = {}): Promise<CallOutcome> {
    const { signal } = new AbortController();
    return this.test.host.broker.call({
      name: `mcp__${form}__work`,
      args,
      surface: 'lm-tool',
      surfaceContext: {},
      signal,
      ...more,
    });
  }

  /** The same, until it is handed over. @returns the handle */
  async begin(form: string, args: Record<string, string | number>, more: Partial<ToolCall> = {}): Promise<string> {
    const outcome = await this.call(form, args, more);
    if (outcome.task === undefined) throw new Error(`it was not handed over: ${textOf(outcome)}`);
    return outcome.task;
  }

  tasks(): Promise<RunningTasks> {
    return this.test.host.broker.tasks();
  }

  async waitFor(handle: string, owner = OWNER): Promise<TaskView> {
    return (await this.tasks()).wait(handle, owner, 10_000, new AbortController().signal);
  }

  async take(handle: string, again = false): Promise<CallOutcome | undefined> {
    return (await this.tasks()).take(handle, OWNER, again);
  }
}

export function textOf(outcome: CallOutcome | undefined): string {
  return (outcome?.parts ?? []).map((part) => (part.kind === 'text' ? part.text : part.mimeType)).join('\n');
}
