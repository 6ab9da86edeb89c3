import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { exportsOf } from '../support.ts';
import type { Check } from './checks.ts';
import type { Probe } from './probe.ts';

const PREFIX = 'mcpSwitchboard';

/** What agents outside the editor get. */
export function outsideChecks(probe: Probe): Record<string, Check> {
  return {
    [`${PREFIX}.gateway.http`]: {
      effect: () =>
        whileOpen(async ({ openHttp }) =>
          openHttp().then(
            () => 'open',
            () => 'closed',
          ),
        ),
      shows: [
        [undefined, 'closed'],
        [true, 'open'],
      ],
    },
    [`${PREFIX}.gateway.outsideQuestions`]: {
      effect: () => whileOpen(async ({ command }) => probe.unanswered(askedIn(command))),
      shows: [
        [undefined, 'editor'],
        ['client', 'client'],
      ],
    },
  };
}

interface Opened {
  readonly openHttp: () => Promise<unknown>;
  readonly command: { readonly command: string; readonly args: readonly string[]; readonly env: object };
}

/** While access is on. */
async function whileOpen<T>(body: (opened: Opened) => Promise<T>): Promise<T> {
  const { outside } = await exportsOf();
  const gateway = await outside.gateway();
  try {
    return await body({ openHttp: () => gateway.openHttp(), command: gateway.commandFor() });
  } finally {
    await outside.revoke();
  }
}

/** Where the question about a call of an agent that shows forms comes up. */
async function askedIn({ command, args, env }: Opened['command']): Promise<'client' | 'editor'> {
  const agent = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'ignore'] });
  const send = (message: object): void => void agent.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const initialize = {
    protocolVersion: '2025-11-25',
    capabilities: { elicitation: {} },
    clientInfo: { name: 'an-agent' },
  };
  send({ id: 1, method: 'initialize', params: initialize });
  try {
    for await (const line of createInterface({ input: agent.stdout })) {
      const { id, method } = JSON.parse(line) as { id?: unknown; method?: string };
      if (method === 'elicitation/create') {
        send({ id, result: { action: 'decline' } });
        return 'client';
      }
      if (id === 1) {
        send({ method: 'notifications/initialized' });
        send({ id: 2, method: 'tools/call', params: { name: 'mcp__probe__write', arguments: {} } });
      }
      if (id === 2) return 'editor';
    }
    throw new Error('the command ended');
  } finally {
    agent.stdin.end();
  }
}
