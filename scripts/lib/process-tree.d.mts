export interface LiveProcess {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

export class ProcessTree {
  constructor(rootPid: number | undefined, options?: { mark?: string; intervalMs?: number });
  alive(): LiveProcess[];
  ended(timeoutMs: number): Promise<LiveProcess[]>;
  kill(): void;
  stop(): void;
}
export function signal(pid: number, name: NodeJS.Signals): void;
