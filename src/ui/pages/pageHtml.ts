import { webviewHtml } from '../../bridge/webviewHtml.ts';

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
  const body = '<main id="page" aria-busy="true"></main>';
  return webviewHtml({ title, language, policy, nonce, style, body, script });
}
