import {
  auth,
  AuthorizationServerMismatchError,
  checkResourceAllowed,
  Client,
  ClientCredentialsProvider,
  computeScopeUnion,
  CrossAppAccessProvider,
  discoverAndRequestJwtAuthGrant,
  discoverOAuthServerInfo,
  DpopSession,
  generateDpopKeyPair,
  InMemoryTransport,
  InsecureTokenEndpointError,
  isStrictScopeSuperset,
  IssuerMismatchError,
  OAuthError,
  PrivateKeyJwtProvider,
  ProtocolError,
  refreshAuthorization,
  RegistrationRejectedError,
  requestJwtAuthorizationGrant,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  selectClientAuthMethod,
  SSEClientTransport,
  SseError,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  withDpop,
} from '@modelcontextprotocol/client';

/** The only module that imports the MCP SDK at run time; loaded with the first connection. */
export { Client, InMemoryTransport, SseError, SSEClientTransport, StreamableHTTPClientTransport };
/** Signing in. */
export {
  auth,
  AuthorizationServerMismatchError,
  checkResourceAllowed,
  ClientCredentialsProvider,
  computeScopeUnion,
  CrossAppAccessProvider,
  discoverAndRequestJwtAuthGrant,
  discoverOAuthServerInfo,
  DpopSession,
  generateDpopKeyPair,
  InsecureTokenEndpointError,
  isStrictScopeSuperset,
  IssuerMismatchError,
  OAuthError,
  PrivateKeyJwtProvider,
  refreshAuthorization,
  RegistrationRejectedError,
  requestJwtAuthorizationGrant,
  selectClientAuthMethod,
  withDpop,
};

/** What the SDK throws where a list has no end. */
export function endlessList(method: string): SdkError {
  return new SdkError(SdkErrorCode.ListPaginationExceeded, `${method}: it doesn't end`);
}

/** What the SDK throws where a request is cancelled, or its time is over. */
export function cancelled(reason: unknown): SdkError {
  return new SdkError(SdkErrorCode.RequestTimeout, String(reason));
}

/** What the SDK throws where the connection ends before the answer. */
export function closed(): SdkError {
  return new SdkError(SdkErrorCode.ConnectionClosed, 'Connection closed');
}

/** What the SDK throws where the answer is an error. */
export function answered({ code, message, data }: Readonly<Record<string, unknown>>): ProtocolError {
  return ProtocolError.fromError(Number(code), String(message), data);
}

/** What went wrong in the SDK, by its codes; never by the text of a message. */
export type SdkFault =
  | { readonly kind: 'timeout' }
  /** The connection ended before the answer came, or there was none. */
  | { readonly kind: 'closed' }
  | { readonly kind: 'unauthorized' }
  | { readonly kind: 'http'; readonly status: number }
  /** The server answered with a JSON-RPC error. */
  | { readonly kind: 'protocol'; readonly code: number; readonly message: string; readonly data: unknown }
  /** The protocol era couldn't be told. `cause` is what the transport threw, where it did. */
  | { readonly kind: 'negotiation'; readonly cause: unknown }
  /** The server answered with something that isn't what the protocol says. */
  | { readonly kind: 'invalid'; readonly message: string }
  | { readonly kind: 'endless-list' }
  | { readonly kind: 'other'; readonly error: unknown };

/** Classifies anything that the SDK threw. */
export function classifySdkError(error: unknown): SdkFault {
  if (error instanceof UnauthorizedError) return { kind: 'unauthorized' };
  if (error instanceof ProtocolError) {
    return { kind: 'protocol', code: error.code, message: error.message, data: error.data };
  }
  if (error instanceof SseError) {
    return error.code === undefined ? { kind: 'closed' } : { kind: 'http', status: error.code };
  }
  if (error instanceof SdkHttpError) return { kind: 'http', status: error.status ?? 0 };
  if (error instanceof SdkError) return classifyCode(error);
  // What a server sent as JSON and isn't.
  if (error instanceof SyntaxError) return { kind: 'invalid', message: error.message };
  return { kind: 'other', error };
}

function classifyCode(error: SdkError): SdkFault {
  switch (error.code) {
    case SdkErrorCode.RequestTimeout:
      return { kind: 'timeout' };
    case SdkErrorCode.ConnectionClosed:
    case SdkErrorCode.NotConnected:
    case SdkErrorCode.SendFailed:
      return { kind: 'closed' };
    case SdkErrorCode.EraNegotiationFailed:
      return { kind: 'negotiation', cause: error.cause };
    case SdkErrorCode.ListPaginationExceeded:
      return { kind: 'endless-list' };
    case SdkErrorCode.InvalidResult:
    case SdkErrorCode.UnsupportedResultType:
    case SdkErrorCode.ClientHttpUnexpectedContent:
      return { kind: 'invalid', message: error.message };
    default:
      return { kind: 'other', error };
  }
}
