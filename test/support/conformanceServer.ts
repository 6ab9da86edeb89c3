import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { node24, root } from '../../scripts/lib/paths.mjs';

/** The conformance server in a process of its own. */
export interface ConformanceServer {
  /** Without a path: `/mcp` speaks both eras, `/legacy` the older one. */
  readonly origin: string;
  stop(): Promise<void>;
}

export async function startConformanceServer(): Promise<ConformanceServer> {
  const child = spawn(node24, [join(root, 'test/conformance/server/main.ts')], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const lines = createInterface({ input: child.stdout });
  const origin = await new Promise<string>((resolve, reject) => {
    lines.once('line', resolve);
    lines.once('close', () => reject(new Error('the conformance server did not start')));
  });
  return {
    origin,
    stop: async () => {
      child.stdin.end();
      await exited;
    },
  };
}
