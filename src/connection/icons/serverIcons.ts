// Loaded with the first icon that is drawn.
import type { JsonObject } from '../../base/json/json.ts';
import { drawableIcon, iconInDataUrl, MAX_ICON_BYTES, type DrawableIcon } from './drawableIcon.ts';
import { iconAddress } from './iconAddress.ts';

/** Something with icons, and the server that names them. */
export interface IconOwner {
  readonly icons?: readonly JsonObject[] | undefined;
  /** Of a remote server: where it is reached. */
  readonly serverUrl?: string | undefined;
}

export type IconTheme = 'light' | 'dark';

/** How many icons of one list are tried, and how long one may take, in milliseconds. */
const MAX_TRIED = 3;
const FETCH_TIMEOUT_MS = 5_000;
/** How many addresses are remembered, with what was there. */
const MAX_KNOWN = 200;

/**
 * Icons of servers and of what they offer. Each address is asked for once, where it answers, without cookies, tokens or a referrer, follows no
 * redirect, and gives nothing where it isn't a small picture.
 */
export class ServerIcons {
  readonly #fetch: typeof fetch;
  readonly #known = new Map<string, Promise<DrawableIcon | undefined>>();

  constructor(inner: typeof fetch) {
    this.#fetch = inner;
  }

  /** The first icon that can be drawn, those of the theme before others; never rejects. */
  async of({ icons = [], serverUrl }: IconOwner, theme: IconTheme): Promise<DrawableIcon | undefined> {
    const fits = (icon: JsonObject): number => (icon['theme'] === theme ? 0 : icon['theme'] === undefined ? 1 : 2);
    const tried = icons.toSorted((a, b) => fits(a) - fits(b)).slice(0, MAX_TRIED);
    for (const { src } of tried) {
      const found = typeof src === 'string' ? await this.#at(src, serverUrl) : undefined;
      if (found) return found;
    }
    return undefined;
  }

  #at(src: string, serverUrl: string | undefined): Promise<DrawableIcon | undefined> {
    const address = iconAddress(src, serverUrl);
    if (address?.kind !== 'own') return Promise.resolve(address && iconInDataUrl(src));
    const { href } = address.url;
    let known = this.#known.get(href);
    if (!known) {
      if (this.#known.size >= MAX_KNOWN) this.#known.clear();
      // What failed may be there another time.
      const forget = (): undefined => void (this.#known.get(href) === known && this.#known.delete(href));
      known = this.#fetched(href).then((found) => (found ? found.icon : forget()), forget);
      this.#known.set(href, known);
    }
    return known;
  }

  /** @returns `undefined`: there is nothing now; rejects where nobody answers */
  async #fetched(href: string): Promise<{ readonly icon: DrawableIcon | undefined } | undefined> {
    const answer = await this.#fetch(href, {
      headers: { accept: 'image/png, image/jpeg, image/webp' },
      redirect: 'error',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
    });
    if (!answer.ok || !answer.body) {
      await answer.body?.cancel();
      return undefined;
    }
    const chunks: Uint8Array[] = [];
    let length = 0;
    // Leaving the loop ends the request.
    for await (const chunk of answer.body) {
      length += chunk.length;
      if (length > MAX_ICON_BYTES) return { icon: undefined };
      chunks.push(chunk);
    }
    return { icon: drawableIcon(Buffer.concat(chunks)) };
  }
}
