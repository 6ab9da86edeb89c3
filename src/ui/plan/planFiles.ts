import type { Disposable } from '../../base/disposable.ts';
import { registerLazyFiles } from '../../bridge/resources/lazyFiles.ts';
import type { Host } from '../../host/host.ts';
import { PLAN_SCHEME } from './planScheme.ts';

/**
 * Has the editor open the arguments of planned calls as JSON documents. Saving checks them against the tool's schema:
 * what doesn't fit is not taken, is said, and stays in the editor.
 */
export function registerPlanFiles(host: Host): Disposable {
  return registerLazyFiles(
    PLAN_SCHEME,
    async (changed) => new (await import('./planDocuments.ts')).PlanDocuments(host, changed),
    { isReadonly: false },
  );
}
