// Loaded with the first icon that is drawn.
import * as vscode from 'vscode';
import { withTimeout } from '../base/async.ts';
import { systemClock } from '../base/clock.ts';
import type { JsonObject } from '../base/json/json.ts';
import type { DrawableIcon } from '../connection/icons/drawableIcon.ts';
import { ServerIcons } from '../connection/icons/serverIcons.ts';
import type { Host } from '../host/host.ts';

/** Who looks at something waits so long for its icon, in milliseconds; one that takes longer is there the next time. */
const ICON_WAIT_MS = 500;

const icons = new WeakMap<Host, ServerIcons>();

/**
 * The icon of a server, or of something that it offers, for the theme of this window. Only of one that is connected, so that
 * nothing is fetched from another; never rejects.
 */
export async function drawnIcon(
  host: Host,
  serverId: string,
  given: readonly JsonObject[] | undefined,
): Promise<DrawableIcon | undefined> {
  const view = host.view(serverId);
  if (!given || view?.state.kind !== 'connected') return undefined;
  const known = icons.get(host) ?? new ServerIcons((input, init) => globalThis.fetch(input, init));
  icons.set(host, known);
  const { transport } = view.definition.entry;
  const { Dark, HighContrast } = vscode.ColorThemeKind;
  const isDark = [Dark, HighContrast].includes(vscode.window.activeColorTheme.kind);
  const icon = known.of(
    { icons: given, serverUrl: 'url' in transport ? transport.url : undefined },
    isDark ? 'dark' : 'light',
  );
  return withTimeout(icon, ICON_WAIT_MS, systemClock, () => undefined);
}
