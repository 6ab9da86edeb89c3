import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { RpcServer, type Members } from './rpcServer.ts';

/** A task of the server: what it was called with, and how often it was asked for. */
export interface ServedTask {
  readonly taskId: string;
  readonly tool: string;
  readonly args: Members;
  readonly form: 'core' | 'extension';
  readonly since: number;
  asked: number;
  cancelled: boolean;
  readonly answers: Members[];
}

/** What a task is at, as `tasks/get` says of it. */
export type Behaviour = (task: ServedTask) => Members;

/** A result of `tools/call` with a text. */
export const textResult = (text: string): Members => ({ content: [{ type: 'text', text }], isError: false });

/** Works for `args.ms` milliseconds, then is done. */
export const works: Behaviour = ({ args, since }) =>
  Date.now() - since < Number(args['ms'] ?? 0)
    ? { status: 'working', statusMessage: `working on ${String(args['id'])}` }
    : { status: 'completed', result: textResult(`done ${String(args['id'])}`) };

const TOOL = {
  name: 'work',
  description: 'Works on something for a while.',
  inputSchema: { type: 'object', properties: { id: { type: 'string' }, ms: { type: 'number' } } },
  annotations: { readOnlyHint: true, openWorldHint: false },
};
const EXTENSION = { 'io.modelcontextprotocol/tasks': {} };
const NOT_FOUND = { error: { code: -32602, message: 'Task not found' } };

/**
 * A server whose tool `work` becomes a task: at `/core` as specification 2025-11-25 has it, at
 * `/extension` as SEP-2663 on 2026-07-28. Its tasks outlast its clients.
 */
export class TaskServer extends RpcServer {
  readonly tasks = new Map<string, ServedTask>();
  /** Every request: its method, and for `tools/call` its arguments. */
  readonly asked: {
    readonly method: string;
    readonly params: Members;
    readonly headers: IncomingHttpHeaders;
  }[] = [];
  behaviour: Behaviour = works;
  pollMs = 50;
  ttlMs: number | null = null;

  constructor() {
    super(({ method, params, headers, path, response }) => {
      this.asked.push({ method, params, headers });
      return this.#answer(method, params, path === '/core' ? 'core' : 'extension', response);
    });
  }

  url(form: ServedTask['form']): string {
    return `${this.origin}/${form}`;
  }

  /** The ids of the calls, as often as each was made. */
  get calls(): readonly string[] {
    return this.asked
      .filter(({ method }) => method === 'tools/call')
      .map(({ params }) => String((params['arguments'] as Members)['id']));
  }

  async #answer(method: string, params: Members, form: ServedTask['form'], response: ServerResponse): Promise<Members> {
    const isCore = form === 'core';
    const complete = (result: Members): Members => ({
      result: isCore ? result : { resultType: 'complete', ...result },
    });
    const serverInfo = { name: 'tasks', version: '1' };
    const caching = { ttlMs: 60_000, cacheScope: 'private' };
    switch (method) {
      case 'initialize': {
        if (!isCore) break;
        const capabilities = { tools: {}, tasks: { cancel: {}, requests: { tools: { call: {} } } } };
        return complete({ protocolVersion: '2025-11-25', capabilities, serverInfo });
      }
      case 'server/discover':
        if (isCore) break;
        return complete({
          supportedVersions: ['2026-07-28'],
          capabilities: { tools: {}, extensions: EXTENSION },
          serverInfo,
          ...caching,
        });
      case 'tools/list':
        return complete({
          tools: [isCore ? { ...TOOL, execution: { taskSupport: 'optional' } } : TOOL],
          ...(isCore ? {} : caching),
        });
      case 'tools/call':
        return this.#call(params, form);
    }
    const task = this.tasks.get(String(params['taskId']));
    if (!method.startsWith('tasks/')) return { error: { code: -32601, message: 'Method not found' } };
    if (!task) return NOT_FOUND;
    switch (method) {
      case 'tasks/get': {
        task.asked += 1;
        const { result, ...status } = { ...this.#head(task), ...this.behaviour(task) } as Members;
        return complete(isCore || result === undefined ? status : { ...status, result });
      }
      case 'tasks/cancel':
        task.cancelled = true;
        return complete(isCore ? { ...this.#head(task), status: 'cancelled' } : {});
      case 'tasks/update':
        task.answers.push(params['inputResponses'] as Members);
        return complete({});
      case 'tasks/result':
        // Holds its answer, as the specification says.
        while (!response.closed) {
          const { result, status } = this.behaviour(task);
          if (status === 'completed' && result !== undefined) return { result: result as Members };
          if (status === 'failed' || status === 'cancelled') break;
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
        return { error: { code: -32603, message: 'no result' } };
    }
    return NOT_FOUND;
  }

  #call(params: Members, form: ServedTask['form']): Members {
    const isCore = form === 'core';
    const args = (params['arguments'] ?? {}) as Members;
    const capabilities = ((params['_meta'] ?? {}) as Members)['io.modelcontextprotocol/clientCapabilities'] as
      Members | undefined;
    const isTold = isCore
      ? params['task'] !== undefined
      : JSON.stringify(capabilities ?? {}).includes(Object.keys(EXTENSION)[0] ?? '');
    if (!isTold) return { error: { code: -32021, message: 'Missing required client capability' } };
    const task: ServedTask = {
      ...{ taskId: randomUUID(), tool: String(params['name']), args, form, since: Date.now() },
      ...{ asked: 0, cancelled: false, answers: [] },
    };
    this.tasks.set(task.taskId, task);
    const head = { ...this.#head(task), status: 'working' };
    return { result: isCore ? { task: head } : { resultType: 'task', ...head } };
  }

  #head({ taskId, form, since }: ServedTask): Members {
    const at = new Date(since).toISOString();
    const times =
      form === 'core'
        ? { ttl: this.ttlMs, pollInterval: this.pollMs }
        : { ttlMs: this.ttlMs, pollIntervalMs: this.pollMs };
    return { taskId, createdAt: at, lastUpdatedAt: at, ...times };
  }
}
