import { randomBytes } from 'node:crypto';
import { CollectedText, type OversizedText } from '../../reading/collectedText.ts';

/** What kind of frame it is (RFC 6455, section 5.2). */
export const OPCODES = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;
/** The longest control frame, in bytes. */
const MAX_CONTROL_BYTES = 125;
/** Frames that are read in a turn: they may be empty, so that a chunk has tens of thousands. */
const MAX_IN_TURN = 4000;
/** A message in more pieces is none. */
const MAX_FRAGMENTS = 100_000;

const [FIN, RESERVED, OPCODE, MASKED, LENGTH] = [0x80, 0x70, 0x0f, 0x80, 0x7f];

export interface FrameSink {
  /** A message; of one that is too long, its ends. */
  onMessage(message: string | OversizedText): void;
  onControl(opcode: number, payload: Buffer): void;
}

/** What came isn't what the WebSocket protocol says. */
export class FrameFault extends Error {
  override readonly name = 'FrameFault';
}

interface Frame {
  readonly isLast: boolean;
  readonly opcode: number;
  /** What of it hasn't come yet, in bytes. */
  left: number;
  /** Of a control frame. */
  readonly control: Buffer[];
}

/** Reads the frames of a server (RFC 6455, section 5), as they come. */
export class FrameReader {
  readonly #sink: FrameSink;
  readonly #message = new CollectedText();
  #inMessage = false;
  /** Of the message, so far. */
  #fragments = 0;
  #inTurn = 0;
  /** The beginning of a header, or what is for the next turn. */
  #rest: Buffer = Buffer.alloc(0);
  #frame: Frame | undefined;
  /** Of the message, out of the chunk at hand: it may be cut into single bytes. */
  #pieces: Buffer[] = [];

  constructor(sink: FrameSink) {
    this.#sink = sink;
  }

  /**
   * What the sink throws comes through; the next call goes on behind it.
   * @returns whether there is more to read in the next turn, with an empty chunk
   * @throws FrameFault
   */
  push(chunk: Buffer): boolean {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    while (this.#rest.length > 0) {
      if (!this.#frame) {
        const size = headerSize(this.#rest);
        if (this.#rest.length < size) {
          this.#rest = Buffer.from(this.#rest);
          break;
        }
        if (this.#isEnough()) break;
        this.#frame = this.#begin(this.#rest);
        this.#rest = this.#rest.subarray(size);
      }
      const piece = this.#rest.subarray(0, this.#frame.left);
      this.#rest = this.#rest.subarray(piece.length);
      this.#frame.left -= piece.length;
      if (isControl(this.#frame.opcode)) this.#frame.control.push(Buffer.from(piece));
      else if (piece.length > 0) this.#pieces.push(piece);
      if (this.#frame.left === 0) this.#end(this.#frame);
    }
    this.#collect();
    return this.#inTurn > MAX_IN_TURN && this.#rest.length > 0;
  }

  /** Whether so many came in this turn that others should run first. */
  #isEnough(): boolean {
    if (this.#inTurn === 0) setImmediate(() => (this.#inTurn = 0));
    this.#inTurn += 1;
    return this.#inTurn > MAX_IN_TURN;
  }

  #begin(header: Buffer): Frame {
    const [first = 0, second = 0] = header;
    const [isLast, opcode, short] = [(first & FIN) !== 0, first & OPCODE, second & LENGTH];
    const left = short < 126 ? short : short === 126 ? header.readUInt16BE(2) : Number(header.readBigUInt64BE(2));
    const isBroken = isControl(opcode)
      ? left > MAX_CONTROL_BYTES || !isLast || opcode > OPCODES.pong
      : opcode > OPCODES.binary || (opcode === OPCODES.continuation) !== this.#inMessage;
    if (!isControl(opcode)) this.#fragments = opcode === OPCODES.continuation ? this.#fragments + 1 : 1;
    if (this.#fragments > MAX_FRAGMENTS) throw new FrameFault('a message in too many pieces');
    if (isBroken || (first & RESERVED) !== 0 || (second & MASKED) !== 0 || !Number.isSafeInteger(left))
      throw new FrameFault('not a frame of a server');
    return { isLast, opcode, left, control: [] };
  }

  #end({ opcode, isLast, control }: Frame): void {
    this.#frame = undefined;
    if (isControl(opcode)) return this.#sink.onControl(opcode, Buffer.concat(control));
    this.#inMessage = !isLast;
    if (!isLast) return;
    this.#collect();
    this.#sink.onMessage(this.#message.take());
  }

  #collect(): void {
    if (this.#pieces.length > 0) this.#message.push(Buffer.concat(this.#pieces.splice(0)));
  }
}

function isControl(opcode: number): boolean {
  return opcode >= OPCODES.close;
}

/** Of a server, whose frames are not masked, in bytes. */
function headerSize(bytes: Buffer): number {
  const short = (bytes[1] ?? 0) & LENGTH;
  return short < 126 ? 2 : short === 126 ? 4 : 10;
}

/** A whole frame of a client, which is masked (section 5.3). */
export function clientFrame(opcode: number, payload: Buffer): Buffer {
  const { length } = payload;
  const size = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const bytes = Buffer.alloc(size + 4 + length);
  bytes[0] = FIN | opcode;
  bytes[1] = MASKED | (size === 2 ? length : size === 4 ? 126 : 127);
  if (size === 4) bytes.writeUInt16BE(length, 2);
  if (size === 10) bytes.writeBigUInt64BE(BigInt(length), 2);
  const mask = randomBytes(4);
  mask.copy(bytes, size);
  for (let at = 0; at < length; at += 1) bytes[size + 4 + at] = (payload[at] ?? 0) ^ (mask[at & 3] ?? 0);
  return bytes;
}
