import { SwitchboardError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json/json.ts';
import { READY_WAIT_MS } from '../../calls/callSettings.ts';
import type { Session } from '../../connection/connectionTypes.ts';
import type { Host } from '../../host/host.ts';
import { notAvailable } from '../../catalog/unavailableLines.ts';
import { absenceOf } from '../../host/unavailableServers.ts';
import type { ServerView } from '../../host/views/serverView.ts';
import { viewNamed } from '../../host/views/viewNamed.ts';

export const REQUEST_TIMEOUT_MS = 60_000;

export function connectedViews({ views }: Host): readonly ServerView[] {
  return views.filter(({ state }) => state.kind === 'connected');
}

/**
 * A connected server by any of its names.
 * @throws SwitchboardError `not-connected`, with what the user can do; `unknown-server`, naming those that are connected
 */
export function connectedView(host: Host, server: string): ServerView {
  const views = connectedViews(host);
  const view = viewNamed(views, server, host.catalog);
  if (view) return view;
  const absent = viewNamed(host.views, server, host.catalog);
  const absence = absent && absenceOf(absent);
  if (absence) throw notAvailable(absence);
  const names = views.map(({ definition }) => definition.name).join(', ');
  throw new SwitchboardError('unknown-server', `There is no connected server "${server}".`, {
    remedy: `Connected are: ${names || 'none'}.`,
  });
}

/**
 * A server by any of its names, connected or about to be.
 * @throws SwitchboardError `unknown-server`
 */
export function namedView(host: Host, server: string): ServerView {
  const coming = ['connecting', 'installing', 'pending', 'disconnected'];
  const view = viewNamed(
    host.views.filter(({ state }) => coming.includes(state.kind)),
    server,
    host.catalog,
  );
  return view ?? connectedView(host, server);
}

/** What a connected server says that it can do; empty for any other. */
export function capabilitiesOf({ state }: ServerView): JsonObject {
  return state.kind === 'connected' ? state.info.capabilities : {};
}

/**
 * The session of a server, waiting for one that is connecting.
 * @throws SwitchboardError `not-connected`
 */
export function readySession(host: Host, view: ServerView, signal: AbortSignal): Promise<Session> {
  return host.pool.ready(view.definition.id, READY_WAIT_MS, signal);
}
