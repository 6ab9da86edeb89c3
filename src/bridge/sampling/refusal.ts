/** Why a server gets no answer from a model. The server is sent its code, one of `RPC_CODES`, and its text. */
export class SamplingRefusal extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}
