import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Clock } from '../../../base/clock.ts';
import type { Disposable } from '../../../base/disposable.ts';
import { endServer, requestServer, type Refusal, type RequestHandler } from './requestServer.ts';

/** What a request must show to come in. */
interface AccessRules {
  /** The port that is listened on. */
  readonly port: number;
  /** The bearer token of this activation. */
  readonly token: string;
}

/**
 * Whether a request may come in (specification: Streamable HTTP, *Security Warning*). A `Host` that isn't ours is a
 * rebound name, an `Origin` that isn't ours a page in a browser: neither gets as far as the token.
 */
function refusalOf(headers: IncomingHttpHeaders, { port, token }: AccessRules): Refusal | undefined {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (!hosts.includes((headers.host ?? '').toLowerCase())) return { status: 403, message: 'Host not allowed.' };
  const { origin } = headers;
  if (origin !== undefined && !hosts.some((host) => origin === `http://${host}`)) {
    return { status: 403, message: 'Origin not allowed.' };
  }
  const given = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1];
  return given !== undefined && isSame(given, token)
    ? undefined
    : { status: 401, message: 'A valid bearer token is required.' };
}

/** In a time that tells nothing of where they differ; how long the token is, is known. */
function isSame(given: string, token: string): boolean {
  const bytes = Buffer.from(given);
  const right = Buffer.from(token);
  return bytes.length === right.length && timingSafeEqual(bytes, right);
}

/**
 * How many connections may be open that haven't shown the token, and for how long each, in milliseconds. Clients that come
 * together are let in one after another and read only then: what is over `connections` has `crowdedMs` to show the token.
 */
export const STRANGERS = { connections: 32, openMs: 5_000, crowdedMs: 500, most: 512 } as const;

/** The connections that haven't shown the token yet: few, and not for long, since anybody on this machine can open some. */
class Strangers {
  readonly #clock: Clock;
  readonly #limits = new Map<Socket, Disposable>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(socket: Socket): void {
    const openMs = this.#limits.size < STRANGERS.connections ? STRANGERS.openMs : STRANGERS.crowdedMs;
    this.#limits.set(
      socket,
      this.#clock.schedule(openMs, () => socket.destroy()),
    );
    socket.once('close', () => this.remove(socket));
    // Not the newest: a client shows the token at once.
    const [oldest] = this.#limits.keys();
    if (this.#limits.size > STRANGERS.most) oldest?.destroy();
  }

  remove(socket: Socket): void {
    this.#limits.get(socket)?.dispose();
    this.#limits.delete(socket);
  }
}

/** HTTP on 127.0.0.1 alone, on a port that the system picks, for those who know the token. */
export class LoopbackServer implements Disposable {
  readonly #server: Server;
  #port = 0;

  /** @param find the handler of a path; `undefined`: nothing is there */
  constructor(token: string, clock: Clock, find: (path: string) => RequestHandler | undefined) {
    const strangers = new Strangers(clock);
    this.#server = requestServer({
      find,
      refusalOf: ({ headers, socket }) => {
        const refusal = refusalOf(headers, { port: this.#port, token });
        if (!refusal) strangers.remove(socket);
        return refusal;
      },
    });
    this.#server.on('connection', (socket) => strangers.add(socket));
  }

  /** @returns the port */
  async listen(): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ host: '127.0.0.1', port: 0, exclusive: true }, () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
    this.#port = (this.#server.address() as AddressInfo).port;
    return this.#port;
  }

  dispose(): void {
    endServer(this.#server);
  }
}
