import { policyOf, type AppCsp } from './appCsp.ts';

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
  if (/<\/(?:script|style)|<!--/i.test(script + style)) throw new RangeError('The page ends its own script or style.');
  return `<!DOCTYPE html>
<html lang="${language.replaceAll(/[^\w-]/g, '')}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyOf(csp)}">
<meta name="viewport" content="width=device-width">
<title>MCP</title>
<style>${style}</style>
</head>
<body>
<header><h1 id="heading"></h1><div id="notes"></div></header>
<button id="permit" hidden></button>
<div id="status" role="alert" hidden></div>
<main id="app"></main>
<details id="result"><summary id="result-label"></summary><pre id="result-text"></pre></details>
<script>${script}</script>
</body>
</html>
`;
}
