import * as net from 'node:net';

/** A connection that this process opened: to a host and port; socket files are none. */
export interface SeenConnection {
  readonly host: string;
  readonly port: number;
  /** Who opened it: the stack of the call, as far as it is ours. */
  readonly from: string;
}

/** What was seen so far, and an end to looking. */
export interface ConnectionWatch {
  readonly seen: readonly SeenConnection[];
  end(): void;
}

/** What sockets are told to connect to; `path` is a socket file. */
interface Target {
  readonly host?: string;
  readonly port?: number | string;
  readonly path?: string | null;
}

type Connect = (this: net.Socket, ...args: unknown[]) => net.Socket;

/** Whether an address is this machine's own. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|::1|::ffff:127(?:\.\d+){3}|\[::1\])$/i.test(host);
}

/**
 * Records every TCP connection that this process opens from now on, whatever opens it: `http`, `fetch`, WebSockets and
 * bare sockets all end in `net.Socket.prototype.connect`. Works in the extension host and in plain Node.
 */
export function watchConnections(): ConnectionWatch {
  const seen: SeenConnection[] = [];
  const { prototype } = net.Socket;
  const own = Object.getOwnPropertyDescriptor(prototype, 'connect') as TypedPropertyDescriptor<Connect>;
  const connect = own.value as Connect;
  const record = (args: readonly unknown[]): void => {
    // `net.connect` hands over its arguments as one list.
    const [first, second] = Array.isArray(args[0]) ? (args[0] as unknown[]) : args;
    const options = typeof first === 'object' && first !== null ? (first as Target) : undefined;
    if (typeof options?.path === 'string' || (typeof first === 'string' && Number.isNaN(Number(first)))) return;
    const host = options ? (options.host ?? 'localhost') : typeof second === 'string' ? second : 'localhost';
    const stack = new Error().stack?.split('\n').slice(3, 12) ?? [];
    seen.push({ host, port: Number(options ? options.port : first), from: stack.join('\n') });
  };
  Object.defineProperty(prototype, 'connect', {
    ...own,
    value(this: net.Socket, ...args: unknown[]) {
      record(args);
      return connect.apply(this, args);
    },
  });
  return {
    seen,
    end: () => {
      Object.defineProperty(prototype, 'connect', own);
    },
  };
}
