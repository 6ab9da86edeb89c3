import type { Logger } from '../../base/log.ts';
import type { Host } from '../../host/host.ts';
import type { ConfigPlaces } from './configAccess.ts';

export interface ApiPorts {
  readonly host: Host;
  readonly log: Logger;
  readonly places: ConfigPlaces;
  /** This extension's id. */
  readonly extensionId: string;
}
