// Loaded with the first sign-in.
import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { DisposableStore } from '../../base/disposable.ts';
import type { Redirect, RedirectRequest } from '../../connection/auth/signInPorts.ts';
import type { InputTurns } from '../inputTurns.ts';
import { AwaitedAnswer } from './awaitedAnswer.ts';
import { LoopbackListener } from './loopbackListener.ts';
import { pageTexts } from './browserPageTexts.ts';
import { askForAddress } from './pasteAddress.ts';
import { isLoopbackAddress, mayBeRedirectedTo } from './redirectAddress.ts';
import { showWaiting } from './showWaiting.ts';
import type { WaitingSignIns } from './waitingSignIns.ts';

export interface RedirectPorts {
  readonly clock: Clock;
  readonly extensionId: string;
  readonly waiting: WaitingSignIns;
  readonly turns: InputTurns;
}

/**
 * Opens a place that the browser comes back to: a listener on this machine, in a remote window with its port forwarded, and
 * in a web window the page of the editor that passes addresses on. OAuth for MCP takes no other schemes than `https:` and
 * `http:` on this machine, so the editor's own (`vscode:`) is none of the ways. Whatever the way, the address of the page can
 * be pasted, too; where none of them leads here, it has to be.
 */
export async function openRedirect(request: RedirectRequest, ports: RedirectPorts): Promise<Redirect> {
  const { state, server } = request;
  const awaited = new AwaitedAnswer(state, ports.clock);
  const store = new DisposableStore();
  try {
    const { redirectUri, needsPaste } = await place(request, awaited, store, ports);
    const waiting = { server, awaited, redirectUri, needsPaste };
    store.add(ports.waiting.add(waiting));
    return {
      redirectUri,
      answer: (signal) =>
        showWaiting(waiting, signal, (either) => {
          const answer = awaited.answer(either);
          if (waiting.needsPaste) void askForAddress(waiting, ports.turns, answer);
          return answer;
        }),
      dispose: () => {
        awaited.dispose();
        store.dispose();
      },
    };
  } catch (error) {
    store.dispose();
    throw error;
  }
}

interface Place {
  readonly redirectUri: string;
  readonly needsPaste: boolean;
}

async function place(
  { registered }: RedirectRequest,
  awaited: AwaitedAnswer,
  store: DisposableStore,
  { extensionId }: RedirectPorts,
): Promise<Place> {
  const { uiKind, remoteName, uriScheme } = vscode.env;
  const isLocal = uiKind === vscode.UIKind.Desktop && remoteName === undefined;
  const listen = async (): Promise<string> => {
    const own = registered && isLoopbackAddress(registered.uri) ? { registered } : {};
    return store.add(await LoopbackListener.open({ awaited, texts: pageTexts, ...own })).uri;
  };
  /** Whether the authorization server would send a browser there, and the browser would get there. */
  const isUsable = (uri: string): boolean =>
    mayBeRedirectedTo(uri) && (registered?.isRequired !== true || registered.uri === uri);
  const pasted = async (): Promise<Place> => ({
    redirectUri: registered?.isRequired === true ? registered.uri : await listen(),
    needsPaste: true,
  });

  if (uiKind === vscode.UIKind.Web) {
    const uri = await external(`${uriScheme}://${extensionId}/sign-in`);
    return isUsable(uri) ? { redirectUri: uri, needsPaste: false } : pasted();
  }
  if (registered?.isRequired === true && !isLoopbackAddress(registered.uri)) return pasted();
  const here = await listen();
  const uri = isLocal ? here : await external(here);
  return isUsable(uri) ? { redirectUri: uri, needsPaste: false } : { redirectUri: here, needsPaste: true };
}

/** An address of this extension host as the browser of the user reaches it. */
async function external(uri: string): Promise<string> {
  const external = await vscode.env.asExternalUri(vscode.Uri.parse(uri, true));
  // Without a second encoding: the query has a `%` where it is to have one.
  return external.toString(true);
}
