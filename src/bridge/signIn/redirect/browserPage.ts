/** What the page in the browser says. */
export interface PageText {
  readonly title: string;
  readonly text: string;
}

/** The page loads and runs nothing, and its address, which has the code in it, goes nowhere. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  connection: 'close',
} as const;

const STYLE = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
  body { display: grid; place-content: center; min-height: 90vh; margin: 0 2rem; text-align: center }
  h1 { font-size: 1.4rem; font-weight: 600; margin: 0 }
  p { max-width: 36rem; margin: .5rem auto; overflow-wrap: anywhere }
`;

/** The page that the browser ends at. */
export function answerPage({ title, text }: PageText): string {
  return [
    '<!doctype html>',
    `<html><head><meta charset="utf-8"><title>${html(title)}</title><style>${STYLE}</style></head>`,
    `<body><main><h1>${html(title)}</h1><p>${html(text)}</p></main></body></html>`,
  ].join('\n');
}

function html(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
