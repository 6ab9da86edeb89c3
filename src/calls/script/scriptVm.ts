// Runs in the process for scripts alone.
import type { QuickJSContext, QuickJSHandle, QuickJSRuntime, QuickJSWASMModule } from 'quickjs-emscripten-core';
import type { ScriptCall, ScriptEnd, ScriptLimit, ScriptRound, ScriptState, ScriptTask } from './scriptTypes.ts';

/**
 * Makes `tools` before the script begins, and keeps what it needs of the language from then. Gives what delivers answers, and
 * what runs the script and writes its result.
 */
const PRELUDE = `(call, names) => {
  'use strict';
  const { parse, stringify } = JSON;
  const { create, defineProperty, freeze } = Object;
  const NewPromise = Promise, NewError = Error, NewTypeError = TypeError;
  const waiting = create(null);
  const make = (name) => freeze((args) => new NewPromise((resolve, reject) => {
    const text = stringify(args === undefined ? {} : args);
    if (typeof text !== 'string' || text[0] !== '{') throw new NewTypeError('The arguments of ' + name + ' must be one object.');
    waiting[call(name, text)] = { resolve, reject };
  }));
  const known = create(null);
  for (const name of parse(names)) known[name] = make(name);
  const others = (_target, name) =>
    typeof name !== 'string' || name === 'then' || name === 'toJSON' ? undefined : known[name] ?? make(name);
  defineProperty(globalThis, 'tools', { value: new Proxy(freeze(known), freeze({ get: others })) });
  return freeze({
    deliver: (id, isError, text) => {
      const { resolve, reject } = waiting[id];
      delete waiting[id];
      if (isError) reject(new NewError(text));
      else resolve(parse(text));
    },
    run: async (script) => stringify(await script()),
  });
}`;

/**
 * One script in an interpreter of its own. It has the language and `tools`, nothing else: no network, no files, no timers; its
 * clock stands still, and its random numbers are the same each time, so that it can be repeated.
 */
export class ScriptVm {
  readonly #task: ScriptTask;
  readonly #runtime: QuickJSRuntime;
  readonly #context: QuickJSContext;
  readonly #deliver: QuickJSHandle;
  readonly #run: QuickJSHandle;
  readonly #now: () => number;
  readonly #calls: ScriptCall[] = [];
  /** How long the arguments of all calls are. */
  #argued = 0;
  #told = 0;
  #result: QuickJSHandle | undefined;
  #end: ScriptEnd | undefined;
  #steps = 0;
  #until = 0;

  /** @param now a clock that runs, in milliseconds */
  constructor(quickJs: QuickJSWASMModule, task: ScriptTask, now: () => number) {
    this.#task = task;
    this.#now = now;
    this.#runtime = quickJs.newRuntime({
      memoryLimitBytes: this.#task.limits.memory,
      maxStackSizeBytes: this.#task.limits.stack,
    });
    this.#runtime.setInterruptHandler(() => {
      if (this.#end) return true;
      if ((this.#steps += 1) > this.#task.limits.steps) return this.#stop('steps');
      return this.#now() > this.#until && this.#stop('time');
    });
    this.#context = this.#runtime.newContext();
    const context = this.#context;
    const call = context.newFunction('call', (name, args) =>
      context.newNumber(this.#add(context.getString(name), context.getString(args))),
    );
    const names = context.newString(JSON.stringify(task.names));
    this.#until = Infinity;
    const prelude = context.unwrapResult(context.evalCode(PRELUDE, 'tools.js'));
    const made = context.unwrapResult(context.callFunction(prelude, context.undefined, call, names));
    this.#deliver = context.getProp(made, 'deliver');
    this.#run = context.getProp(made, 'run');
    for (const handle of [call, names, prelude, made]) handle.dispose();
  }

  /** Runs the script up to where it can't go on, or to where it was. */
  start(): ScriptState {
    const context = this.#context;
    this.#resume();
    // The script is the body of a function, on the same line, so that lines of errors are its own.
    const script = context.evalCode(`(async () => {${this.#task.source}\n})`, 'script.js');
    if (script.error) {
      this.#fail(script.error);
    } else {
      const begun = context.callFunction(this.#run, context.undefined, script.value);
      script.value.dispose();
      if (begun.error) this.#fail(begun.error);
      else this.#result = begun.value;
    }
    this.#settle();
    for (const round of this.#task.rounds) this.#give(round);
    if (this.#calls.length < this.#task.calls.length && this.#end?.kind !== 'limit') this.#end = { kind: 'diverged' };
    this.#told = Math.min(this.#task.calls.length, this.#calls.length);
    return this.#state();
  }

  /** Gives answers to the script, and runs it on. */
  goOn(round: ScriptRound): ScriptState {
    this.#give(round);
    return this.#state();
  }

  #give(round: ScriptRound): void {
    const context = this.#context;
    this.#resume();
    for (const { id, isError, text } of round) {
      if (this.#end) return;
      if (id >= this.#calls.length) {
        this.#end = { kind: 'diverged' };
        return;
      }
      const told = context.newString(text);
      const given = context.callFunction(
        this.#deliver,
        context.undefined,
        context.newNumber(id),
        isError ? context.true : context.false,
        told,
      );
      told.dispose();
      if (given.error) this.#fail(given.error);
      else given.value.dispose();
    }
    this.#settle();
  }

  /** Runs what waits for nothing any more, and sees whether the script has ended. */
  #settle(): void {
    const jobs = this.#runtime.executePendingJobs();
    if (jobs.error) this.#fail(jobs.error);
    else jobs.dispose();
    if (this.#end || !this.#result) return;
    const context = this.#context;
    const state = context.getPromiseState(this.#result);
    if (state.type === 'rejected') this.#fail(state.error);
    if (state.type !== 'fulfilled') return;
    const result = context.typeof(state.value) === 'string' ? context.getString(state.value) : undefined;
    if (state.notAPromise !== true) state.value.dispose();
    if (result !== undefined && result.length > this.#task.limits.json) this.#stop('result');
    else this.#end = { kind: 'returned', ...(result === undefined ? {} : { result }) };
  }

  #add(name: string, args: string): number {
    const id = this.#calls.length;
    const before = this.#task.calls[id];
    // Also after the end: what makes calls then gets no answer.
    if (this.#end) return id;
    this.#argued += args.length;
    const { json, arguments: all } = this.#task.limits;
    if (args.length > json || this.#argued > all) this.#stop('arguments');
    else if (id >= this.#task.limits.calls) this.#stop('calls');
    else if (before && (before.name !== name || before.args !== args)) this.#end = { kind: 'diverged' };
    else this.#calls.push({ id, name, args });
    return id;
  }

  #state(): ScriptState {
    const calls = this.#calls.slice(this.#told);
    this.#told = this.#calls.length;
    return { calls, ...(this.#end ? { end: this.#end } : {}) };
  }

  #resume(): void {
    this.#until = this.#now() + this.#task.limits.timeMs;
  }

  #stop(limit: ScriptLimit): true {
    this.#end ??= { kind: 'limit', limit };
    return true;
  }

  #fail(error: QuickJSHandle): void {
    this.#end ??= { kind: 'threw', error: this.#textOf(error) };
    error.dispose();
  }

  /** The error and the script's own lines, whatever the script made of them. */
  #textOf(error: QuickJSHandle): string {
    const context = this.#context;
    // Reading them may run the script's code.
    this.#resume();
    const read = (name: string): string => {
      if (context.typeof(error) !== 'object') return '';
      const value = context.getProp(error, name);
      try {
        return context.typeof(value) === 'string' ? context.getString(value) : '';
      } finally {
        value.dispose();
      }
    };
    try {
      if (context.typeof(error) !== 'object') return String(context.dump(error));
      const lines = read('stack').match(/script\.js:\d+(?::\d+)?/g) ?? [];
      const where = lines[0] === undefined ? '' : ` (${lines[0]})`;
      return `${read('name') || 'Error'}: ${read('message')}${where}`;
    } catch {
      return 'Error';
    }
  }
}
