import { strict as assert } from 'node:assert';
import type { Client } from '@modelcontextprotocol/client';

/** All texts of a call's result. */
export function textOf(result: Awaited<ReturnType<Client['callTool']>>): string {
  return (result.content as { readonly text?: string }[]).map(({ text }) => text ?? '').join('\n');
}

/** Looks again and again, for ten seconds at most. */
export async function waitFor(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!(await condition())) {
    assert.ok(Date.now() < deadline, condition.toString());
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
