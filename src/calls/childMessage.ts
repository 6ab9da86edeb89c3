import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/**
 * The next message of a process. Only meanwhile does the process keep this one alive.
 * @throws where none comes in time, or the process ends
 */
export async function nextMessage(child: ChildProcess, limitMs: number): Promise<unknown> {
  const ended = new AbortController();
  const end = (): void => ended.abort();
  child.once('exit', end);
  child.ref();
  child.channel?.ref();
  try {
    const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(limitMs)]);
    const [message] = (await once(child, 'message', { signal })) as [unknown];
    return message;
  } finally {
    child.off('exit', end);
    child.unref();
    child.channel?.unref();
  }
}
