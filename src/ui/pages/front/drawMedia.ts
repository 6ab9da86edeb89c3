import type { MediaBlock } from '../pageContent.ts';
import { element } from './elements.ts';

/** An image or a sound, out of what the page was sent: it loads nothing. */
export function drawMedia({ title, mimeType, data }: MediaBlock): HTMLElement {
  const src = `data:${mimeType};base64,${data}`;
  const shown = mimeType.startsWith('image/')
    ? element('img', { src, alt: title })
    : element('audio', { src, controls: '', 'aria-label': title });
  return element('figure', { class: 'media' }, shown, element('figcaption', {}, title));
}
