// Loaded with the first call, or with the window where an earlier one left tasks.
import { randomBytes } from 'node:crypto';
import { deferred, onAbort, type Deferred } from '../../base/async.ts';
import type { Disposable } from '../../base/disposable.ts';
import { SwitchboardError } from '../../base/errors.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { ListedStore } from '../../base/keyValueStore.ts';
import type { TaskRef, ToolCallResult } from '../../connection/connectionTypes.ts';
import { identify, isRunning, type ProcessIdentity } from '../../connection/process/processIdentity.ts';
import type { CallOutcome, ToolCall } from '../callTypes.ts';
import { forModel } from '../results/cleanText.ts';
import { keptOutcome, outcomeOf, ownerOf, type KeptTask } from './keptTask.ts';
import { RunningTask, type TaskServerPorts } from './runningTask.ts';
import { TaskStore } from './taskStore.ts';
import { usersViewOf, viewOf, type TaskView, type UsersTask } from './taskView.ts';

export interface TaskPorts extends TaskServerPorts {
  readonly store: ListedStore;
  readonly platform: NodeJS.Platform;
  /** What the caller gets of a result: hooks are run, and limits hold. @throws SwitchboardError where the tool failed */
  finish(task: KeptTask, result: ToolCallResult, signal: AbortSignal): Promise<CallOutcome>;
}

/** What of a call its task is kept with. */
export type TaskOf = Pick<KeptTask, 'serverId' | 'serverName' | 'fingerprint' | 'tool' | 'args'>;

/** How long a caller waits for a task. Milliseconds. */
export interface Attendance {
  readonly signal: AbortSignal;
  /** After it the caller gets the handle; absent: it waits. */
  readonly handOverMs: number | undefined;
  /** After it the task is cancelled. */
  readonly limitMs: number;
}

export type Settled = CallOutcome | { readonly error: unknown };

/** Between two looks whether a question of a server is answered. */
const ASKING_MS = 1_000;

/**
 * The calls of a workspace that go on as tasks of their servers. Each is written down before it is followed, and its result
 * before it is given; a handle is good only for whoever called. What is asked for a handle that is another's is answered like
 * one that doesn't exist.
 */
export class RunningTasks implements Disposable {
  readonly #ports: TaskPorts;
  readonly #store: TaskStore;
  readonly #running = new Map<string, RunningTask>();
  readonly #ended = new Map<string, Deferred<void>>();
  readonly #kept = new Emitter<void>();
  readonly #window: Promise<ProcessIdentity | undefined>;
  #opened: Promise<void> | undefined;

  constructor(ports: TaskPorts) {
    this.#ports = ports;
    this.#store = new TaskStore(ports.store);
    this.#window = identify(process.pid, ports.platform);
  }

  /** Fires when there is a task that a caller may ask for. */
  readonly onDidKeep: Event<void> = this.#kept.event;

  /** Reads what earlier windows left. */
  open(): Promise<void> {
    this.#opened ??= this.#store.open();
    return this.#opened;
  }

  /** Follows a task that a call became; kept, where its caller can ask for it and there is room. */
  async begin(call: ToolCall, of: TaskOf, task: TaskRef): Promise<RunningTask> {
    await this.open();
    const owner = ownerOf(call);
    const { surface, caller } = call;
    const handle = `task_${randomBytes(16).toString('base64url')}`;
    const at = this.#ports.clock.now();
    const window = await this.#window;
    const kept = {
      ...{ handle, owner: owner ?? '', surface, ...of, task, at },
      ...(caller === undefined ? {} : { caller }),
      ...(window ? { window } : {}),
    };
    const isKept = owner !== undefined && this.#store.hasRoom;
    if (isKept) await this.#store.put(kept);
    return this.#follow(kept, isKept);
  }

  /**
   * Waits for a task's result with its caller, who may cancel it.
   * @returns `undefined`: it takes longer, and is to be handed over
   * @throws SwitchboardError `call-cancelled`, `call-timeout`, or how the task ended
   */
  async attend(running: RunningTask, { signal, handOverMs, limitMs }: Attendance): Promise<ToolCallResult | undefined> {
    const isHandedOver = running.isKept && handOverMs !== undefined;
    const over = deferred<'over'>();
    const abortion = onAbort(signal, () => running.stop('cancelled'));
    const waitMs = isHandedOver ? handOverMs : limitMs;
    const later = (ms: number): Disposable =>
      this.#ports.clock.schedule(ms, () => {
        if (running.isAsking) timer = later(ASKING_MS);
        else over.resolve('over');
      });
    let timer = later(waitMs);
    try {
      const first = await Promise.race([running.followed, over.promise]);
      if (first === 'over' && isHandedOver) return undefined;
      if (first === 'over') running.stop('expired');
      const result = first === 'over' ? await running.followed : first;
      await this.#forget(running);
      return result;
    } catch (error) {
      if (!running.isClosing) await this.#forget(running);
      throw error;
    } finally {
      timer.dispose();
      abortion.dispose();
    }
  }

  /** The caller has the handle: what comes of the task is kept for it. @returns what came of it; never rejects */
  async settle(running: RunningTask): Promise<Settled> {
    const { task } = running;
    const { handle } = task;
    const ended = this.#endOf(handle);
    running.onProgress = undefined;
    this.#kept.fire();
    let outcome: Settled;
    try {
      const result = await running.followed;
      outcome = await this.#ports.finish(task, result, running.signal);
    } catch (error) {
      outcome = { error: forModel(error) };
    }
    if (running.isClosing) return outcome;
    const end = { at: this.#ports.clock.now(), outcome: keptOutcome(outcome) };
    await this.#store.put({ ...task, end });
    this.#running.delete(handle);
    this.#ended.delete(handle);
    ended.resolve();
    await this.#store.sweep(end.at);
    return outcome;
  }

  /** The tasks that earlier windows left running, followed from now on. */
  async resume(): Promise<readonly RunningTask[]> {
    await this.open();
    await this.#store.sweep(this.#ports.clock.now());
    if (this.#store.all.length > 0) this.#kept.fire();
    const left = this.#store.all.filter(({ end, handle }) => !end && !this.#running.has(handle));
    const free = await Promise.all(left.map(async (task) => ((await this.#isOfOther(task)) ? [] : [task])));
    const window = await this.#window;
    const mine = free.flat().map((task) => ({ ...task, ...(window ? { window } : {}) }));
    await Promise.all(mine.map((task) => this.#store.put(task)));
    return mine.map((task) => this.#follow(task, true));
  }

  /** Whether another window follows it now. */
  async #isOfOther({ window }: KeptTask): Promise<boolean> {
    return window !== undefined && window.pid !== process.pid && isRunning(window, this.#ports.platform);
  }

  /** The newest first. */
  async list(owner: string): Promise<readonly TaskView[]> {
    await this.open();
    return this.#store.all
      .filter((task) => task.owner === owner)
      .sort((a, b) => b.at - a.at)
      .map((task) => this.#viewOf(task));
  }

  /** All of the workspace, also those whose callers wait for them, for the user alone. The newest first. */
  async everybodys(): Promise<readonly UsersTask[]> {
    await this.open();
    const attended = [...this.#running.values()].filter(({ isKept }) => !isKept).map(({ task }) => task);
    return [...this.#store.all, ...attended]
      .sort((a, b) => b.at - a.at)
      .map((task) => usersViewOf(task, this.#running.get(task.handle)?.message));
  }

  /**
   * What came of a task, for the user: it doesn't count as given to its caller.
   * @returns `undefined`: it runs, or isn't kept
   * @throws SwitchboardError where the task failed: that is its result
   */
  async outcome(handle: string): Promise<CallOutcome | undefined> {
    await this.open();
    const end = this.#store.get(handle)?.end;
    return end && outcomeOf(end.outcome);
  }

  /** Cancels a task for the user, whoever called; one that has ended stays as it is. */
  cancelForUser(handle: string): void {
    this.#running.get(handle)?.stop('cancelled');
  }

  /** @throws SwitchboardError `invalid-arguments`: the owner has no such task */
  async view(handle: string, owner: string): Promise<TaskView> {
    await this.open();
    return this.#viewOf(this.#of(handle, owner));
  }

  /** As `view`, when the task has ended, or after `waitMs` milliseconds, or when `signal` aborts. */
  async wait(handle: string, owner: string, waitMs: number, signal: AbortSignal): Promise<TaskView> {
    await this.open();
    const { end } = this.#of(handle, owner);
    const over = deferred<void>();
    const timer = this.#ports.clock.schedule(waitMs, () => over.resolve());
    const abortion = onAbort(signal, () => over.resolve());
    // It may not be followed yet, where the window has just opened.
    if (!end) await Promise.race([this.#endOf(handle).promise, over.promise]);
    timer.dispose();
    abortion.dispose();
    return this.view(handle, owner);
  }

  /**
   * The result of a task that has ended, once.
   * @param again also where it was given before
   * @returns `undefined`: it was given before, or runs
   * @throws SwitchboardError where the task failed: that is its result
   */
  async take(handle: string, owner: string, again: boolean): Promise<CallOutcome | undefined> {
    await this.open();
    const task = this.#of(handle, owner);
    if (!task.end || (task.deliveredAt !== undefined && !again)) return undefined;
    // Noted first: of two that ask at once, one gets it.
    if (task.deliveredAt === undefined) await this.#store.put({ ...task, deliveredAt: this.#ports.clock.now() });
    return outcomeOf(task.end.outcome);
  }

  /** Cancels a task for its caller; one that has ended stays as it is. */
  async cancel(handle: string, owner: string): Promise<TaskView> {
    await this.open();
    this.#of(handle, owner);
    const running = this.#running.get(handle);
    running?.stop('cancelled');
    if (running && this.#ended.has(handle)) await this.#endOf(handle).promise;
    return this.view(handle, owner);
  }

  #endOf(handle: string): Deferred<void> {
    const ended = this.#ended.get(handle) ?? deferred();
    this.#ended.set(handle, ended);
    return ended;
  }

  #follow(task: KeptTask, isKept: boolean): RunningTask {
    const running = new RunningTask(task, isKept, this.#ports);
    this.#running.set(task.handle, running);
    return running;
  }

  async #forget({ task: { handle }, isKept }: RunningTask): Promise<void> {
    this.#running.delete(handle);
    if (isKept) await this.#store.remove(handle);
  }

  #of(handle: string, owner: string): KeptTask {
    const task = this.#store.get(handle);
    if (task?.owner === owner) return task;
    throw new SwitchboardError('invalid-arguments', 'There is no such task.', {
      remedy: 'Tasks are kept for seven days. List them, or call the tool again if that is safe.',
    });
  }

  #viewOf(task: KeptTask): TaskView {
    return viewOf(task, this.#running.get(task.handle)?.message);
  }

  /** The window closes: what runs goes on with the next one. */
  dispose(): void {
    for (const running of this.#running.values()) running.stop('closing');
    this.#running.clear();
    this.#kept.dispose();
  }
}
