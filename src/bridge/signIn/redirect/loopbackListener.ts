import { say } from '../../../base/say.ts';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Disposable } from '../../../base/disposable.ts';
import { SwitchboardError } from '../../../base/errors.ts';
import type { SignInOutcome } from '../../../connection/auth/signInPorts.ts';
import { endServer, requestServer } from '../../gateway/protocol/requestServer.ts';
import { answerPage, PAGE_HEADERS, type PageText } from './browserPage.ts';
import type { AnswerRefusal, AwaitedAnswer } from '../awaitedAnswer.ts';
import { isLoopback } from './redirectAddress.ts';

/** What the page in the browser says, by how it ended. */
export type PageTexts = (of: SignInOutcome | AnswerRefusal | 'cancelled') => PageText;

export interface ListenerOptions {
  readonly awaited: AwaitedAnswer;
  readonly texts: PageTexts;
  /** The address that the client is registered with, where it is one on this machine. */
  readonly registered?: { readonly uri: string; readonly isRequired: boolean };
}

export const CALLBACK_PATH = '/callback';
/** Connections that have sent no request yet. */
const MAX_IDLE = 32;
/** Whoever connects sends a request at once, in milliseconds. */
const HEADERS_LIMIT_MS = 10_000;

/**
 * Listens on this machine for the browser that comes back from an authorization server (RFC 8252, 7.3 and 8.3). The path is
 * one that can be registered, so what can't be guessed is the `state`. The browser waits for its page until it is known how
 * the sign-in ended.
 */
export class LoopbackListener implements Disposable {
  readonly #awaited: AwaitedAnswer;
  readonly #texts: PageTexts;
  readonly #idle = new Set<Socket>();
  #servers: readonly Server[] = [];
  #uri = '';
  #answered: ServerResponse | undefined;

  private constructor({ awaited, texts }: ListenerOptions) {
    this.#awaited = awaited;
    this.#texts = texts;
  }

  /** @throws SwitchboardError `unsupported` where the port that the client is registered with is taken */
  static async open(options: ListenerOptions): Promise<LoopbackListener> {
    const listener = new LoopbackListener(options);
    await listener.#listen(options.registered);
    return listener;
  }

  /** What the browser is sent back to. */
  get uri(): string {
    return this.#uri;
  }

  async #listen(registered: ListenerOptions['registered']): Promise<void> {
    const uri = new URL(registered?.uri ?? `http://127.0.0.1${CALLBACK_PATH}`);
    const make = (): Server => this.#makeServer(uri.pathname);
    const wanted = Number(uri.port);
    const { port, servers } = await firstPort(make, hostsOf(uri.hostname), wanted, registered?.isRequired === true);
    this.#servers = servers;
    // Character by character what was registered, where that is so.
    if (registered && port === wanted) this.#uri = registered.uri;
    else {
      uri.port = String(port);
      this.#uri = uri.href;
    }
  }

  #makeServer(path: string): Server {
    const server = requestServer({
      find: (url) =>
        url.split('?')[0] === path
          ? { handle: async (request, response) => this.#answer(request, response) }
          : undefined,
      refusalOf: (request) => (isOfBrowser(request) ? undefined : { status: 403, message: 'Not allowed.' }),
      maxBodyBytes: 0,
    });
    server.headersTimeout = HEADERS_LIMIT_MS;
    server.on('connection', (socket) => {
      // Whoever only holds connections gives way to those that come later: the browser is one of them.
      const [oldest] = this.#idle;
      if (this.#idle.size >= MAX_IDLE) oldest?.destroy();
      this.#idle.add(socket);
      socket.once('close', () => this.#idle.delete(socket));
    });
    server.on('request', ({ socket }, response) => {
      this.#idle.delete(socket);
      response.once('close', () => socket.destroy());
    });
    return server;
  }

  /** Hands an answer on, and keeps the browser waiting; what isn't the answer is told so. */
  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
    const refusal = this.#awaited.offer(searchParams, (outcome) => show(response, this.#texts(outcome), 200));
    if (refusal === undefined) this.#answered = response;
    else show(response, this.#texts(refusal), 400);
  }

  /** Stops listening at once; a page that is being sent is sent. */
  dispose(): void {
    if (this.#answered) show(this.#answered, this.#texts('cancelled'), 200);
    for (const server of this.#servers) server.close();
    for (const socket of this.#idle) socket.destroy();
  }
}

function show(response: ServerResponse, text: PageText, status: number): void {
  if (!response.headersSent) response.writeHead(status, PAGE_HEADERS).end(answerPage(text));
}

/** A name that leads here isn't this machine: a page on it would be of the same origin. */
function isOfBrowser({ headers, rawHeaders, method }: IncomingMessage): boolean {
  const names = rawHeaders.filter((_text, index) => index % 2 === 0 && rawHeaders[index]?.toLowerCase() === 'host');
  return method === 'GET' && names.length === 1 && isLoopback(hostnameOf(headers.host));
}

function hostnameOf(host: string | undefined): string {
  const address = `http://${host ?? ''}`;
  return URL.canParse(address) ? new URL(address).hostname : '';
}

function hostsOf(hostname: string): readonly string[] {
  if (hostname === '[::1]') return ['::1'];
  return hostname === 'localhost' ? ['127.0.0.1', '::1'] : ['127.0.0.1'];
}

interface Listening {
  readonly port: number;
  readonly servers: readonly Server[];
}

/** On the port that is wanted, or on any where that one is taken and needn't be it (RFC 8252, 7.3). */
async function firstPort(
  make: () => Server,
  hosts: readonly string[],
  wanted: number,
  isRequired: boolean,
): Promise<Listening> {
  try {
    return await listening(make, hosts, wanted);
  } catch (error) {
    if (wanted === 0) throw error;
    if (!isRequired) return listening(make, hosts, 0);
    throw new SwitchboardError(
      'unsupported',
      say`Port ${wanted}, which the client is registered with, can’t be listened on.`,
      {
        remedy: say`End the program that uses it, or register another redirect address, then sign in again.`,
        cause: error,
      },
    );
  }
}

/** The first host must be had; a machine may have no second one, but nobody else may have it. */
async function listening(
  make: () => Server,
  [first = '', ...rest]: readonly string[],
  port: number,
): Promise<Listening> {
  const own = make();
  const servers = [own];
  try {
    await listen(own, first, port);
    const { port: taken } = own.address() as AddressInfo;
    for (const host of rest) {
      const other = make();
      const isThere = await listen(other, host, taken).then(
        () => true,
        (error: NodeJS.ErrnoException) => {
          endServer(other);
          // The browser would go there.
          if (error.code === 'EADDRINUSE' || error.code === 'EACCES') throw error;
          return false;
        },
      );
      if (isThere) servers.push(other);
    }
    return { port: taken, servers };
  } catch (error) {
    for (const server of servers) endServer(server);
    throw error;
  }
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, exclusive: true }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
