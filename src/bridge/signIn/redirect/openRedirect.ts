// Loaded with the first sign-in.
import * as vscode from 'vscode';
import type { Clock } from '../../../base/clock.ts';
import { DisposableStore } from '../../../base/disposable.ts';
import type { Redirect, RedirectRequest } from '../../../connection/auth/signInPorts.ts';
import type { InputTurns } from '../../dialogs/inputTurns.ts';
import { AwaitedAnswer } from '../awaitedAnswer.ts';
import { LoopbackListener } from './loopbackListener.ts';
import { pageTexts } from './browserPageTexts.ts';
import { askForAddress } from '../pasteAddress.ts';
import { type EditorSurroundings, redirectPlace } from './redirectPlace.ts';
import { showWaiting } from '../showWaiting.ts';
import type { WaitingSignIns } from '../waitingSignIns.ts';

export interface RedirectPorts {
  readonly clock: Clock;
  readonly extensionId: string;
  readonly waiting: WaitingSignIns;
  readonly turns: InputTurns;
}

/** Opens the place that the browser comes back to. Whatever it is, the address of the page can be pasted, too. */
export async function openRedirect(request: RedirectRequest, ports: RedirectPorts): Promise<Redirect> {
  const { state, server } = request;
  const awaited = new AwaitedAnswer(state, ports.clock);
  const store = new DisposableStore();
  try {
    const around = surroundings(awaited, store, ports.extensionId);
    const { redirectUri, needsPaste } = await redirectPlace(request.registered, around);
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

function surroundings(awaited: AwaitedAnswer, store: DisposableStore, extensionId: string): EditorSurroundings {
  const { uiKind, remoteName, uriScheme } = vscode.env;
  return {
    isWeb: uiKind === vscode.UIKind.Web,
    isRemote: remoteName !== undefined,
    callbackUri: `${uriScheme}://${extensionId}/sign-in`,
    external,
    listen: async (registered) =>
      store.add(await LoopbackListener.open({ awaited, texts: pageTexts, ...(registered ? { registered } : {}) })).uri,
  };
}

/** An address of this extension host as the browser of the user reaches it. */
async function external(uri: string): Promise<string> {
  const external = await vscode.env.asExternalUri(vscode.Uri.parse(uri, true));
  // Without a second encoding: the query has a `%` where it is to have one.
  return external.toString(true);
}
