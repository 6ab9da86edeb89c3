/** Where spans are sent, and with which headers. */
export interface OtlpAddress {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Added to an address that doesn't have it (OTLP specification: *OTLP/HTTP Request*). */
const PATH = '/v1/traces';

/**
 * The address that a setting means. `undefined`: none.
 * @param headers `OTEL_EXPORTER_OTLP_HEADERS`: pairs with a comma between them, their values escaped as in addresses
 * @throws Error that says what is wrong with the address, without it
 */
export function otlpAddress(setting: string, headers: string | undefined): OtlpAddress {
  const url = URL.parse(setting.trim());
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new Error('the setting is no address that begins with http:// or https://');
  if (url.username !== '' || url.password !== '')
    throw new Error('an address with a password isn’t used; give it in OTEL_EXPORTER_OTLP_HEADERS');
  if (!url.pathname.endsWith(PATH)) url.pathname = url.pathname.replace(/\/*$/, PATH);
  url.hash = '';
  return { url: url.href, headers: headersOf(headers ?? '') };
}

function headersOf(text: string): Record<string, string> {
  const pairs = text.split(',').flatMap((pair): (readonly [string, string])[] => {
    const at = pair.indexOf('=');
    const [name, value] = [pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())];
    return at > 0 && /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t -~]*$/.test(value) ? [[name, value]] : [];
  });
  return Object.fromEntries(pairs);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
