/** What the document of a webview is made of. */
export interface WebviewParts {
  readonly title: string;
  /** BCP 47. */
  readonly language: string;
  /** Its Content Security Policy. */
  readonly policy: string;
  /** Of the script and the style, where the policy wants one. */
  readonly nonce?: string;
  readonly style: string;
  /** Our own markup. */
  readonly body: string;
  readonly script: string;
}

/**
 * The document of a webview, all of it in one text.
 * @throws RangeError where the script or the style would end its own element
 */
export function webviewHtml({ title, language, policy, nonce, style, body, script }: WebviewParts): string {
  if (/<\/(?:script|style)|<!--/i.test(script + style)) throw new RangeError('The page ends its own script or style.');
  const own = nonce === undefined ? '' : ` nonce="${nonce}"`;
  return `<!DOCTYPE html>
<html lang="${attribute(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width">
<title>${attribute(title)}</title>
<style${own}>${style}</style>
</head>
<body>
${body}
<script${own}>${script}</script>
</body>
</html>
`;
}

function attribute(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
