import { isRecord, type JsonObject } from '../../base/json/json.ts';

/** Maximum length of an icon's address, in characters: a `data:` URL may hold a large picture. */
const MAX_ICON_CHARS = 16_384;

/** Icons in a form that clients accept. */
export function cleanIcons(value: unknown): { readonly icons?: readonly JsonObject[] } {
  const icons = Array.isArray(value) ? value.filter(isRecord) : [];
  const usable = icons.filter(({ src }) => typeof src === 'string' && src.length <= MAX_ICON_CHARS);
  return usable.length > 0 ? { icons: usable as JsonObject[] } : {};
}
