// `node connect.js KEY [SERVER] [--original-schemas]`: an MCP server over stdio that passes everything on to a window of the editor. Shipped as a
// file of its own that loads nothing: it is copied beside the record KEY.json, which names the window's socket.
// Without arguments it is what a portable entry starts: the window is the one that has the folder open in which it runs, and as
// long as there is none, it says so in a tool.
import { request, type IncomingMessage } from 'node:http';
import { dirname, join } from 'node:path';
import { asksWhy, CLIENT_INFO, isStateless, metaOf, resultAlone } from './noWindowAnswer.ts';
import { firstAnswering, NO_WINDOW, windowOf } from './answeringWindow.ts';
import { type FoundWindow, recordIn, Unavailable, watchWindows, windowsHere } from './windowsHere.ts';

interface Message {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** An answer's body as it comes. */
type Received = IncomingMessage & AsyncIterable<Buffer>;

/** The longest message that is taken from the client, in characters: the window takes no longer one. */
const MAX_MESSAGE = 16 * 1024 * 1024;
const INTERRUPTED =
  'The editor’s window was closed or reloaded during this request. It may have run: check before you send it again.';
const LISTS = ['tools', 'resources', 'prompts'];
/** What this extension calls itself as a client. */
const OURSELVES = 'mcp-switchboard';
const IS_THERE = 'The editor’s window is there now. List the tools again: they are its servers’.';
const OURS = 'This entry is MCP Switchboard itself: it isn’t a server that MCP Switchboard can run.';

/** The client has all of JSON Schema, and wants to have schemas as the servers have them. */
const ORIGINALS = '--original-schemas';
const [key = '', server] = process.argv.slice(2).filter((each) => each !== ORIGINALS);
const record = join(dirname(process.argv[1] ?? ''), `${key}.json`);
const option = process.argv.includes(ORIGINALS) ? '?schemas=original' : '';
const path = `${server === undefined ? '/mcp' : `/mcp/${encodeURIComponent(server)}`}${option}`;

/** What the client began with: a window that comes later is told the same. */
let begun: Message | undefined;
let session: { readonly id: string; readonly version: string } | undefined;

const isPortable = key === '';

/** The windows that may be meant, the best first. @throws Unavailable */
function candidates(): readonly FoundWindow[] {
  if (isPortable) return windowsHere();
  const found = recordIn(record);
  if (found) return [found];
  throw new Unavailable(NO_WINDOW);
}

async function send(method: string, body?: string, signal?: AbortSignal): Promise<Received> {
  const headers = {
    accept: 'application/json, text/event-stream',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(session ? { 'mcp-session-id': session.id, 'mcp-protocol-version': session.version } : {}),
  };
  // A connection for each: one that is kept might be lost unnoticed.
  return firstAnswering(
    candidates(),
    ({ socket }) =>
      new Promise((resolve, reject) => {
        const about = { socketPath: socket, agent: false, path, method, headers, ...(signal ? { signal } : {}) };
        request(about, resolve).once('error', reject).end(body);
      }),
  );
}

/** What the client wrote goes on as it is: a program would change digits of numbers. */
const post = (message: object | string): Promise<Received> =>
  send('POST', typeof message === 'string' ? message : JSON.stringify(message));

function tell(message: object | string): void {
  process.stdout.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
}

function fail({ id, method }: Message, message: string): void {
  if (method !== undefined && id !== undefined) tell({ jsonrpc: '2.0', id, error: { code: -32000, message } });
}

/** The window's answer to `initialize`. */
interface Begun extends Message {
  readonly result?: { readonly protocolVersion?: string; readonly capabilities?: object };
}

/** Begins a session. */
async function begin(message: Message): Promise<Begun> {
  session = undefined;
  const response = await post(message);
  const text = await textOf(response);
  if (response.statusCode !== 200)
    throw new Unavailable(
      server === undefined ? `The editor refused: ${text}` : `There is no server “${server}” in the editor’s window.`,
    );
  const answer = JSON.parse(text) as Begun;
  const id = response.headers['mcp-session-id'];
  if (typeof id === 'string') session = { id, version: answer.result?.protocolVersion ?? '' };
  return answer;
}

/** Begins anew with a window that came back, and has the client fetch its lists again. */
async function beginAnew(): Promise<void> {
  if (!begun) throw new Unavailable('The first message must be “initialize”.');
  await refuseOurselves(begun);
  const { result } = await begin(begun);
  (await post({ jsonrpc: '2.0', method: 'notifications/initialized' })).resume();
  void listen();
  for (const list of LISTS)
    if (list in (result?.capabilities ?? {})) tell({ jsonrpc: '2.0', method: `notifications/${list}/list_changed` });
}

/** The window's own messages, as long as it is there. */
async function listen(): Promise<void> {
  const heard = session;
  try {
    for await (const text of eventsOf(await send('GET'))) tell(text);
  } catch {
    // The next request notices.
  }
  if (!isPortable || session !== heard) return;
  // What there is without a window is another list.
  session = undefined;
  tell({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
}

/** Requests of a client that keeps no session, under way: it cancels them by a message, the window knows it by the connection. */
const running = new Map<unknown, AbortController>();

/** Passes such a request on, and answers it; never rejects. */
async function passAlone(message: Message, line: string): Promise<void> {
  const ending = new AbortController();
  running.set(message.id, ending);
  try {
    await refuseOurselves(message);
    await answer(message, await send('POST', line, ending.signal), ending.signal);
  } catch (error) {
    const text = error instanceof Unavailable ? error.message : INTERRUPTED;
    if (!ending.signal.aborted && !(error instanceof Unavailable && answerAlone(message, text))) fail(message, text);
  } finally {
    running.delete(message.id);
  }
}

/** Passes a message on, as it is written; resolves when the window has it. What it answers follows. */
async function pass(message: Message, line: string): Promise<void> {
  const cancelled = message.method === 'notifications/cancelled' ? message.params?.['requestId'] : undefined;
  if (running.has(cancelled)) return running.get(cancelled)?.abort();
  if (isStateless(message)) {
    // Its answer may take long, and whatever comes next doesn't wait for it.
    if (message.id !== undefined) void passAlone(message, line);
    return;
  }
  if (message.method === 'initialize') {
    begun = message;
    await refuseOurselves(message);
    tell(await begin(message));
    return;
  }
  if (isPortable && asksWhy(message.method, message.params)) {
    // It was listed while no window was there.
    await windowOf(candidates());
    if (!session) await beginAnew();
    tell({ jsonrpc: '2.0', id: message.id, result: { content: [{ type: 'text', text: IS_THERE }] } });
    return;
  }
  let response: Received | undefined;
  if (session) {
    response = await post(line).catch((error: unknown) => {
      if (error instanceof Unavailable) return undefined;
      throw new Unavailable(INTERRUPTED, { cause: error });
    });
  }
  // 404: the window knows no such session, so it has done nothing.
  if (!response || response.statusCode === 404) {
    response?.resume();
    await beginAnew();
    response = await post(line);
  }
  if (message.method === 'notifications/initialized') void listen();
  void answer(message, response);
}

/** Its own tools would come back to it, and to the editor's agent, which has them. @throws Error */
async function refuseOurselves({ params }: Message): Promise<void> {
  const info = params?.['clientInfo'] ?? metaOf(params)[CLIENT_INFO];
  const name = (info as { name?: unknown } | undefined)?.name;
  if (name === OURSELVES) throw new Error(OURS);
  if (isPortable && name === (await windowOf(candidates())).editor)
    throw new Unavailable('The editor’s agent has these servers already: this entry is for agents outside the editor.');
}

/**
 * What a portable entry answers while no window is there: a tool that says so, so that a model can tell the user.
 * @returns whether it has answered
 */
function answerAlone({ id, method, params }: Message, why: string): boolean {
  // Who begins a session instead is told when a window opens.
  if (isPortable && method === 'server/discover') {
    tell({ jsonrpc: '2.0', id, error: { code: -32601, message: why } });
    return true;
  }
  const result = resultAlone(method, params, why);
  if (!isPortable || id === undefined || !result) return false;
  tell({ jsonrpc: '2.0', id, result });
  return true;
}

/** A window that opens is used at once. */
function look(): void {
  queue = queue.then(async () => {
    if (session || !begun) return;
    // It isn't ours, or not there yet.
    await beginAnew().catch(() => undefined);
  });
}

async function answer(message: Message, response: Received, signal?: AbortSignal): Promise<void> {
  let isAnswered = message.method === undefined || message.id === undefined;
  try {
    if (response.headers['content-type'] === 'text/event-stream') {
      for await (const text of eventsOf(response)) {
        const { id, method } = JSON.parse(text) as Message;
        isAnswered ||= method === undefined && id === message.id;
        tell(text);
      }
    } else {
      const text = await textOf(response);
      // What is no stream is its only message.
      if (signal && response.headers['content-type'] === 'application/json') tell(text);
      else if (!isAnswered)
        fail(message, `The editor refused the request (${response.statusCode}): ${text.slice(0, 200)}`);
      return;
    }
  } catch {
    // The window is gone.
  }
  if (!isAnswered && !signal?.aborted) fail(message, INTERRUPTED);
}

async function textOf(response: Received): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** The data of a stream's events, each in one line. */
async function* eventsOf(response: Received): AsyncGenerator<string> {
  response.setEncoding('utf8');
  let pending = '';
  for await (const chunk of response as AsyncIterable<string>) {
    const lines = (pending + chunk).split('\n');
    pending = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('data: ')) yield line.slice('data: '.length);
  }
}

/** In the order in which they came: an answer isn’t waited for. */
let queue = Promise.resolve();

function take(line: string): void {
  let message: Message;
  try {
    message = JSON.parse(line) as Message;
  } catch {
    tell({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'The message is not JSON.' } });
    return;
  }
  if (typeof message !== 'object' || message === null) {
    tell({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'It is no message of JSON-RPC.' } });
    return;
  }
  queue = queue.then(() =>
    pass(message, line).catch((error: unknown) => {
      const text = error instanceof Error ? error.message : String(error);
      if (!(error instanceof Unavailable && answerAlone(message, text))) fail(message, text);
    }),
  );
}

if (isPortable) watchWindows(look);

let pending = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk: string) => {
  const lines = (pending + chunk).split('\n');
  pending = lines.pop() ?? '';
  for (const line of lines) if (line.trim() !== '') take(line);
  if (pending.length <= MAX_MESSAGE) return;
  process.stderr.write('A message is longer than 16 MiB.\n');
  process.exit(1);
});
process.stdin.on('end', () => {
  const leave = (): void => process.exit(0);
  if (!session) leave();
  void send('DELETE').then(leave, leave);
});
process.stdout.on('error', () => process.exit(0));
