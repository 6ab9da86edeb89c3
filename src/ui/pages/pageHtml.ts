/** What a page is made of. */
export interface PageParts {
  readonly title: string;
  /** BCP 47. */
  readonly language: string;
  readonly style: string;
  readonly script: string;
  /** New for each page. */
  readonly nonce: string;
}

/**
 * The document of a page, empty but for its script: that shows what the extension sends. It can load nothing, and nothing that it
 * is sent can become markup or code (Content Security Policy Level 3; Trusted Types).
 * @throws RangeError where the script or the style would end its own element
 */
export function pageHtml({ title, language, style, script, nonce }: PageParts): string {
  if (/<\/(?:script|style)|<!--/i.test(script + style)) throw new RangeError('The page ends its own script or style.');
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    // Images and sounds out of what it was sent: an address of another kind is not loaded.
    'img-src data:',
    'media-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${attribute(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width">
<title>${attribute(title)}</title>
<style nonce="${nonce}">${style}</style>
</head>
<body>
<main id="page" aria-busy="true"></main>
<script nonce="${nonce}">${script}</script>
</body>
</html>
`;
}

function attribute(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
