/** Why a request got no usable answer. Travels through the SDK as the `data` of an error. */
export class LocalFault {
  readonly kind: 'stream-ended' | 'too-large' | 'malformed' | 'header-mismatch';
  readonly bytes: number;
  /** `malformed`: what is wrong with it, as a clause. */
  readonly reason: string;

  constructor(kind: LocalFault['kind'], { bytes = 0, reason = '' }: { bytes?: number; reason?: string } = {}) {
    this.kind = kind;
    this.bytes = bytes;
    this.reason = reason;
  }
}
