import type { ApiCaller, SwitchboardExports } from '../../api.d.ts';
import type { ApiPorts } from './api.ts';

/**
 * What `activate` returns: see src/api.d.ts, which documents every member. The API is loaded when the first extension asks for it,
 * and by `require`, since `getApi` answers at once.
 */
export function makeExports(ports: ApiPorts): SwitchboardExports {
  return Object.freeze({
    getApi: (version: unknown, caller?: ApiCaller) =>
      (require('./api.ts') as typeof import('./api.ts')).getApi(ports, version, caller),
  });
}
