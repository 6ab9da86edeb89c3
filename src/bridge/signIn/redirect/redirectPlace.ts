import type { RedirectRequest } from '../../../connection/auth/signInPorts.ts';
import { isLoopbackAddress, mayBeRedirectedTo } from './redirectAddress.ts';

/** Where the editor's windows and its extension host are. */
export interface EditorSurroundings {
  /** The window is in a browser. */
  readonly isWeb: boolean;
  /** The extension host is on another computer than the window, or in a container. */
  readonly isRemote: boolean;
  /** Of the editor's own, for this extension. */
  readonly callbackUri: string;
  /** An address of the extension host as the browser of the user reaches it (`asExternalUri`). */
  readonly external: (uri: string) => Promise<string>;
  /** Listens on the computer of the extension host, on the registered address where there is one. @returns the address */
  readonly listen: (registered: RedirectRequest['registered']) => Promise<string>;
}

export interface RedirectPlace {
  readonly redirectUri: string;
  /** The browser ends there and can't come back by itself. */
  readonly needsPaste: boolean;
}

/**
 * Where the browser comes back to: a listener on this machine, in a remote window with its port forwarded, and in a web window
 * the page of the editor that passes addresses on. OAuth for MCP takes no other schemes than `https:` and `http:` on this
 * machine, so the editor's own (`vscode:`) is none of the ways. Where none of them leads here, the address has to be pasted.
 */
export async function redirectPlace(
  registered: RedirectRequest['registered'],
  { isWeb, isRemote, callbackUri, external, listen }: EditorSurroundings,
): Promise<RedirectPlace> {
  const isRequired = registered?.isRequired === true;
  const own = registered && isLoopbackAddress(registered.uri) ? registered : undefined;
  /** Whether the authorization server would send a browser there, and the browser would get there. */
  const isUsable = (uri: string | undefined): uri is string =>
    uri !== undefined && mayBeRedirectedTo(uri) && (!isRequired || registered.uri === uri);
  // A port that isn't forwarded is no reason not to sign in.
  const reached = (uri: string): Promise<string | undefined> => external(uri).catch(() => undefined);
  const pasted = async (): Promise<RedirectPlace> => ({
    redirectUri: isRequired ? registered.uri : await listen(own),
    needsPaste: true,
  });

  if (isWeb) {
    const uri = await reached(callbackUri);
    return isUsable(uri) ? { redirectUri: uri, needsPaste: false } : pasted();
  }
  if (isRequired && !own) return pasted();
  const here = await listen(own);
  const uri = isRemote ? await reached(here) : here;
  return isUsable(uri) ? { redirectUri: uri, needsPaste: false } : { redirectUri: here, needsPaste: true };
}
