import { isRecord, type JsonObject } from '../../base/json/json.ts';

/** Maximum length of an icon's address, in characters: a `data:` URL may hold a large picture. */
const MAX_ICON_CHARS = 16_384;
/** An image in the address itself, or on the web (specification: *Icons*); whose it is, is looked at where it is used. */
const USABLE = /^(?:data:image\/|https?:\/\/)/i;

/** Icons in a form that clients accept. No address of another kind is one: it would be a file, a script or a command of whoever draws it. */
export function cleanIcons(value: unknown): { readonly icons?: readonly JsonObject[] } {
  const icons = Array.isArray(value) ? value.filter(isRecord) : [];
  const usable = icons.filter(({ src }) => typeof src === 'string' && src.length <= MAX_ICON_CHARS && USABLE.test(src));
  return usable.length > 0 ? { icons: usable as JsonObject[] } : {};
}
