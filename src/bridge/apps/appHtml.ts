import { webviewHtml } from '../webviewHtml.ts';
import { policyOf, type AppCsp } from './appCsp.ts';

const BODY = `<header><h1 id="heading"></h1><div id="notes"></div></header>
<button id="permit" hidden></button>
<div id="status" role="alert" hidden></div>
<main id="app"></main>
<details id="result"><summary id="result-label"></summary><pre id="result-text"></pre></details>`;

/** What the document around an app is made of. */
export interface AppHtmlParts {
  /** BCP 47. */
  readonly language: string;
  readonly csp: AppCsp;
  readonly style: string;
  readonly script: string;
}

/**
 * The document around an app. No text of the server is in it: the app is put into a frame by its script. The app's frame inherits its
 * policy, and so that is the app's and no wider than what the server declared.
 * @throws RangeError where the script or the style would end its own element
 */
export function appHtml({ language, csp, style, script }: AppHtmlParts): string {
  return webviewHtml({ title: 'MCP', language, policy: policyOf(csp), style, body: BODY, script });
}
