/** Codes of JSON-RPC; `refused` is the specification's for what the person refuses (sampling, *Error Handling*). */
export const RPC = { refused: -1, invalidParams: -32602, internal: -32603 } as const;

/** Why a server gets no answer of a model. Its code and its text go to the server. */
export class SamplingRefusal extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}
