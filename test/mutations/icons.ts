import type { Rows } from './edit.ts';

const SERVER_ICONS = 'src/connection/icons/serverIcons.ts';

/** Icons that servers give. */
export const icons: Rows = {
  'An icon at an address of somebody else, who would see when the server is used': [
    ['src/connection/icons/iconAddress.ts', 'isWeb && url.origin === server.origin &&', 'isWeb &&'],
  ],
  'An icon of the server’s own that redirects elsewhere': [[SERVER_ICONS, "redirect: 'error'", "redirect: 'follow'"]],
  'An icon that is asked for with what identifies the user': [
    [
      SERVER_ICONS,
      "headers: { accept: 'image/png, image/jpeg, image/webp' }",
      "headers: { authorization: 'Bearer a' }",
    ],
  ],
  'An icon without an end, or one that is asked for again and again': [
    [SERVER_ICONS, 'this.#known.set(href, known);', ''],
    [SERVER_ICONS, '.slice(0, MAX_TRIED)', ''],
  ],
  'An icon with scripts, styles or references, or a page in its place': [
    ['src/connection/icons/drawableIcon.ts', 'if (mimeType === undefined || !size)', 'if (mimeType === undefined)'],
    ['src/connection/icons/drawableIcon.ts', '[size.width, size.height]', '[size?.width ?? 1, size?.height ?? 1]'],
  ],
  'An icon of few bytes and many pixels': [
    ['src/connection/icons/drawableIcon.ts', 'side > 0 && side <= MAX_SIDE', 'side > 0'],
  ],
  'An icon that is a file, a script or a command of whoever draws it, or leads a client of the gateway elsewhere': [
    ['src/connection/cleaning/cleanIcons.ts', ' && USABLE.test(src)', ''],
    ['src/bridge/gateway/passedIcons.ts', " && /^data:/i.test(icon['src'])", ''],
  ],
};
