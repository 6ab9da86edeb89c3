import type { Rows } from './edit.ts';

/** Pages of servers. */
export const apps: Rows = {
  'An app that leads the editor, a window or itself elsewhere, with what it was given': [
    [
      'src/bridge/apps/front/appView.ts',
      "'allow-scripts allow-forms'",
      "'allow-scripts allow-forms allow-popups allow-top-navigation'",
    ],
  ],
  'An app that loads from, or sends to, a site that it didn’t declare': [
    ['src/bridge/apps/appCsp.ts', "`connect-src ${[local, ...connectDomains].join(' ')}`", "'connect-src *'"],
  ],
  'An app that declares more than sites, to end the policy or to add to it': [
    ['src/bridge/apps/appCsp.ts', '&& SITE.test(value)', ''],
  ],
  'An app that reads the document around it, or speaks to it as the editor': [
    [
      'src/bridge/apps/front/appView.ts',
      'else if (origin === window.origin) take(data as ToAppView);',
      'else take(data as ToAppView);',
    ],
  ],
  'An app that sends messages without end, or one without measure': [
    ['src/bridge/apps/front/appView.ts', 'if (!isInTime()) return', 'if (false) return'],
  ],
  'An app that is as high as it likes, or not a number': [
    ['src/bridge/apps/front/appView.ts', 'Math.min(HEIGHT.most, ', 'Math.max(0, '],
  ],
  'An app that answers what it wasn’t asked, repeats ids, or sends no JSON-RPC': [
    [
      'src/bridge/apps/appSession.ts',
      'this.#link.take(message as JSONRPCMessage);',
      "this.#link.take({ ...(message as object), jsonrpc: '2.0' } as JSONRPCMessage);",
    ],
  ],
  'An app that calls a tool that is for models, for nobody, denied, or another server’s': [
    ['src/bridge/apps/appServer.ts', 'each.tool.name === name && isForApps(each)', 'each.tool.name === name'],
    [
      'src/calls/resolveTool.ts',
      "if (surface === 'app') return isForApps(tool);",
      "if (surface === 'app') return true;",
    ],
  ],
  'A model that calls a tool that is for an app, or for nobody': [
    ['src/calls/resolveTool.ts', "meta?.['vscode.requestId'] === undefined", 'true'],
  ],
  'A page that is none, or is 50 MB; and a tool whose page is on the web, or another server’s': [
    ['src/bridge/apps/appResource.ts', 'if (size > MAX_HTML_CHARS)', 'if (false)'],
  ],
  'An app that asks again and again, for pages of every scheme, and to put words into the chat': [
    ['src/bridge/apps/appQuestions.ts', ' || this.#refusals >= MAX_REFUSALS', ''],
  ],
  'A question of an app that comes up while the user types, and Enter is the next key': [
    ['src/bridge/dialogs/confirmWhole.ts', "confirmWith([vscode.l10n.t('Deny')], ", 'confirmWith([], '],
  ],
  'An app that asks while its tab isn’t seen': [['src/bridge/apps/appQuestions.ts', ' || !this.#isSeen()', '']],
  'An app that says again and again that it has begun, to be sent its result each time': [
    ['src/bridge/apps/appSession.ts', 'if (this.#isStarted) return;', ''],
  ],
  'An app that takes the focus, and with it what is typed elsewhere': [
    ['src/bridge/apps/front/appView.ts', 'if (!isTaken) return;', 'if (isTaken || !isTaken) return;'],
  ],
  'An app whose tab is closed, or that was ended, while it waits for what it asked for': [
    ['src/bridge/apps/appSession.ts', 'this.#ending.abort();', ''],
    ['src/bridge/apps/appSession.ts', 'if (!this.#isClosed) this.onmessage', 'this.onmessage'],
  ],
  'An app that has the user asked without end about what it calls and reads': [
    ['src/bridge/apps/appLimits.ts', 'this.#refusals >= MAX_REFUSALS || ', ''],
  ],
  'An app of a server that has another definition by now': [
    ['src/bridge/apps/appServer.ts', 'if (this.#definedAs !== this.#fingerprint)', 'if (false)'],
  ],
};
