// node dist/replay.js FILE [--server NAME] [--fast]: a recording as an MCP server on stdin and stdout (docs/recording.md).
// A file of its own, which needs neither the editor nor the SDK.
import { parseArgs } from 'node:util';
import { systemClock } from '../../../base/clock.ts';
import { isRecord } from '../../../base/json/json.ts';
import { messageOf } from '../../../base/errors.ts';
import { linesOf } from '../../../base/text/linesOf.ts';
import { readRecording } from './readRecording.ts';
import { exchangesOf, serversIn } from './recordedScript.ts';
import { ReplayedSession } from './replayedSession.ts';

const USAGE = 'usage: replay.js FILE [--server NAME] [--fast]';

function leave(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

async function replay(): Promise<void> {
  const options = { server: { type: 'string' }, fast: { type: 'boolean', default: false } } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [file] = positionals;
  if (file === undefined || positionals.length > 1) leave(USAGE);
  const { lines, unread } = await readRecording(file);
  const servers = serversIn(lines);
  const server = values.server ?? servers[0];
  if (server === undefined) leave('The recording has no message of a server.');
  if (!servers.includes(server)) leave(`The recording has no server “${server}”. It has: ${servers.join(', ')}.`);
  if (values.server === undefined && servers.length > 1)
    leave(`The recording has several servers: choose one with --server. It has: ${servers.join(', ')}.`);
  if (unread > 0) process.stderr.write(`Lines that can’t be read: ${unread}.\n`);
  const session = new ReplayedSession(exchangesOf(lines, server), {
    isFast: values.fast,
    send: (message) => process.stdout.write(`${JSON.stringify(message)}\n`),
    say: (line) => process.stderr.write(`${line}\n`),
    schedule: (delayMs, run) => void systemClock.schedule(delayMs, run),
  });
  process.stdin.setEncoding('utf8');
  for await (const line of linesOf(process.stdin as AsyncIterable<string>)) {
    const message = messageIn(line);
    if (message) session.take(message);
  }
  process.exit(0);
}

function messageIn(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

process.stdout.on('error', () => process.exit(0));
replay().catch((error: unknown) => leave(messageOf(error)));
