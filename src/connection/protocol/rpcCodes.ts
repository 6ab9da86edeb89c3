/** Error codes of JSON-RPC and of the protocol. */
export const RPC_CODES = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  resourceNotFound: -32002,
  /** The headers that repeat a request's parameters don't fit it (specification 2026-07-28; so are the next two). */
  headerMismatch: -32020,
  /** The request needs a capability that the client didn't declare. */
  missingCapability: -32021,
  unsupportedVersion: -32022,
  urlElicitationRequired: -32042,
  /** The user denied a sampling request (specification: sampling, *Error Handling*). */
  userRejected: -1,
} as const;
