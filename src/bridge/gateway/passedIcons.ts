import { isRecord, type JsonObject, type JsonValue } from '../../base/json/json.ts';

/**
 * The icons that a client of the gateway gets: those that are whole in themselves. A client may fetch the others only from the
 * server that it talks to (specification: *Icons*), which is the gateway.
 */
export function passedIcons(icons: JsonValue | undefined): { readonly icons?: readonly JsonObject[] } {
  const passed = (Array.isArray(icons) ? (icons as readonly unknown[]) : []).filter(
    (icon) => isRecord(icon) && typeof icon['src'] === 'string' && /^data:/i.test(icon['src']),
  );
  return passed.length > 0 ? { icons: passed as JsonObject[] } : {};
}

/** A page of a list, whose items have those icons. */
export function withPassedIcons(page: JsonObject): JsonObject {
  const items = (value: JsonValue): JsonValue => {
    if (!Array.isArray(value)) return value;
    return value.map((item: JsonValue) => {
      if (!isRecord(item) || item['icons'] === undefined) return item;
      const { icons, ...rest } = item;
      return { ...rest, ...passedIcons(icons) };
    });
  };
  return Object.fromEntries(Object.entries(page).map(([key, value]) => [key, items(value)]));
}
