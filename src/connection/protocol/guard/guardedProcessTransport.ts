import type { Transport } from '@modelcontextprotocol/client';
import type { Readable } from 'node:stream';
import { GuardedTransport, type GuardOptions } from './guardedTransport.ts';

/** The process behind a transport. */
export interface ProcessView {
  readonly pid: number | null;
  readonly stderr: Readable | null;
}

/** A guarded transport of a process: `pid` and `stderr` make the SDK probe for the era in the same process. */
export class GuardedProcessTransport extends GuardedTransport implements ProcessView {
  readonly #process: ProcessView;

  constructor(inner: Transport & ProcessView, options: GuardOptions) {
    super(inner, options);
    this.#process = inner;
  }

  get pid(): number | null {
    return this.#process.pid;
  }

  get stderr(): Readable | null {
    return this.#process.stderr;
  }
}
