import { StreamableHTTPClientTransport, type Client } from '@modelcontextprotocol/client';
import { deferred } from '../../../src/base/async.ts';
import { eventually } from '../../support/eventually.ts';

/** All texts of a call's result. */
export function textOf(result: Awaited<ReturnType<Client['callTool']>>): string {
  return (result.content as { readonly text?: string }[]).map(({ text }) => text ?? '').join('\n');
}

/** Looks again and again, for ten seconds at most. */
export async function waitFor(condition: () => boolean | Promise<boolean>): Promise<void> {
  await eventually(condition.toString(), condition, 10_000);
}

/** Connects, and waits for the stream for what belongs to no request, which a client opens in the background. */
export async function connectListening(client: Client, url: string, token: string): Promise<void> {
  const listening = deferred<void>();
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
    fetch: async (input, init) => {
      const answer = fetch(input, init);
      if (init?.method === 'GET')
        void answer.then(
          () => listening.resolve(),
          (error: unknown) => listening.reject(error),
        );
      return answer;
    },
  });
  await client.connect(transport);
  await listening.promise;
}
