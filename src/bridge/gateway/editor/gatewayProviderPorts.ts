import type { Clock } from '../../../base/clock.ts';
import type { Logger } from '../../../base/log.ts';
import type { KeyValueStore } from '../../../base/store.ts';
import type { ServerEntry } from '../../../config/configTypes.ts';
import type { Host } from '../../../host/host.ts';
import type { GatewaySettings } from '../gateway.ts';

export interface GatewayProviderPorts {
  readonly host: Host;
  readonly clock: Clock;
  readonly log: Logger;
  /** Publisher and name of this extension. */
  readonly extensionId: string;
  readonly version: string;
  readonly settings: () => GatewaySettings & { readonly enabled: boolean; readonly agentHostSessions: boolean };
  /** The editor's ids of its own copies of an entry; none where it has none. */
  readonly editorIds: (entry: ServerEntry) => readonly string[];
  /** Of this workspace. */
  readonly store: KeyValueStore;
}
