import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as a receiver reads it. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | undefined;
  readonly state: string | undefined;
  readonly name: string;
  /** As `SpanKind` numbers them: 1 internal, 2 server, 3 client. */
  readonly kind: number;
  /** Nanoseconds since the epoch. */
  readonly start: bigint;
  readonly end: bigint;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  /** 0: unset, 2: error. */
  readonly status: number;
  readonly flags: number;
  readonly resource: Readonly<Record<string, string | number | boolean>>;
}

type Field = { readonly number: number; readonly value: bigint | Buffer };

/** The fields of a message in the wire format of protobuf. @throws where it isn't one */
function fieldsOf(bytes: Buffer): readonly Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes.readUInt8(at++);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const taken = (length: number): Buffer => {
    if (at + length > bytes.length) throw new Error('a field goes over the end of its message');
    return bytes.subarray(at, (at += length));
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const read: Record<number, () => bigint | Buffer> = {
      0: varint,
      1: () => taken(8).readBigUInt64LE(),
      2: () => taken(Number(varint())),
      5: () => BigInt(taken(4).readUInt32LE()),
    };
    const value = read[tag & 7]?.();
    if (value === undefined) throw new Error(`wire type ${tag & 7}`);
    fields.push({ number: tag >> 3, value });
  }
  return fields;
}

class Message {
  readonly #fields: readonly Field[];

  constructor(bytes: Buffer) {
    this.#fields = fieldsOf(bytes);
  }

  bytes(number: number): readonly Buffer[] {
    return this.#fields.flatMap((field) =>
      field.number === number && Buffer.isBuffer(field.value) ? [field.value] : [],
    );
  }

  messages(number: number): readonly Message[] {
    return this.bytes(number).map((bytes) => new Message(bytes));
  }

  number(number: number): bigint {
    const found = this.#fields.find((field) => field.number === number)?.value;
    return typeof found === 'bigint' ? found : 0n;
  }

  has(number: number): boolean {
    return this.#fields.some((field) => field.number === number);
  }

  text(number: number): string | undefined {
    return this.bytes(number)[0]?.toString('utf8');
  }

  hex(number: number): string | undefined {
    return this.bytes(number)[0]?.toString('hex');
  }
}

/** `KeyValue` with an `AnyValue`: texts, truth values and whole numbers. */
function attributesOf(pairs: readonly Message[]): Record<string, string | number | boolean> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [value] = pair.messages(2);
      return [
        pair.text(1) ?? '',
        value?.text(1) ?? (value?.has(2) === true ? value.number(2) === 1n : Number(value?.number(3))),
      ];
    }),
  );
}

/** The spans of an `ExportTraceServiceRequest` (opentelemetry-proto 1.x). */
export function readSpans(body: Buffer): readonly ReceivedSpan[] {
  return new Message(body).messages(1).flatMap((resourceSpans) => {
    const resource = attributesOf(resourceSpans.messages(1)[0]?.messages(1) ?? []);
    const spans = resourceSpans.messages(2).flatMap((scopeSpans) => scopeSpans.messages(2));
    return spans.map((span) => ({
      traceId: span.hex(1) ?? '',
      spanId: span.hex(2) ?? '',
      state: span.text(3),
      parentId: span.hex(4),
      name: span.text(5) ?? '',
      kind: Number(span.number(6)),
      start: span.number(7),
      end: span.number(8),
      attributes: attributesOf(span.messages(9)),
      status: Number(span.messages(15)[0]?.number(3) ?? 0n),
      flags: Number(span.number(16)),
      resource,
    }));
  });
}

/** A receiver of OTLP over HTTP. */
export class TraceReceiver {
  readonly spans: ReceivedSpan[] = [];
  readonly bodies: Buffer[] = [];
  readonly requests: { readonly url: string; readonly headers: IncomingHttpHeaders }[] = [];
  /** What it answers. */
  status = 200;
  /** It takes requests, and never answers. */
  isSilent = false;
  /** Where it sends who comes. */
  location: string | undefined;
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => void this.#take(request, response));
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat((await request.toArray()) as Buffer[]);
    this.requests.push({ url: request.url ?? '', headers: request.headers });
    if (this.isSilent) return;
    if (this.status === 200 && this.location === undefined) {
      this.bodies.push(body);
      this.spans.push(...readSpans(body));
    }
    if (this.location === undefined) response.writeHead(this.status).end();
    else response.writeHead(307, { location: this.location }).end();
  }

  async open(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
