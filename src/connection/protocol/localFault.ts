/** Why a request got no usable answer. Travels through the SDK as the `data` of an error. */
export class LocalFault {
  readonly kind: 'stream-ended' | 'too-large' | 'malformed' | 'header-mismatch' | 'session-refused';
  readonly bytes: number;
  /** `malformed`: what is wrong with it, as a clause. */
  readonly reason: string;
  /** What the server says in it. */
  readonly said: string | undefined;

  constructor(
    kind: LocalFault['kind'],
    { bytes = 0, reason = '', said }: { bytes?: number; reason?: string; said?: string | undefined } = {},
  ) {
    this.kind = kind;
    this.bytes = bytes;
    this.reason = reason;
    this.said = said;
  }
}
