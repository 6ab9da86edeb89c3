import type { SwitchboardExports } from '../../api.d.ts';
import type { ApiPorts } from './apiPorts.ts';

/** What `activate` returns: see src/api.d.ts. What is behind it is loaded with the first call, which can't wait. */
export function makeExports(ports: ApiPorts): SwitchboardExports {
  return Object.freeze({
    getApi: ((version, caller) => {
      const { getApi } = require('./api.ts') as typeof import('./api.ts');
      return getApi(ports, version, caller);
    }) satisfies SwitchboardExports['getApi'],
  });
}
