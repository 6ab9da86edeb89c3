// Rows of docs/protocol.md, and what they name again and again: eras, and files with tests.

/**
 * A row. `cells` as `SURFACES`: done, passed on, or refused and why. `tests`: a file and the title, or its beginning, of a test in it.
 * @typedef {{ feature: string, era: string, cells: readonly string[], tests: readonly (readonly [string, string])[] }} Row
 */

export const OLDER = '2024-11-05 to 2025-11-25';
export const NEWEST = '2026-07-28';
export const UNIT = 'test/unit';
export const PROXY = `${UNIT}/bridge/gatewayProxy.test.ts`;
export const STATELESS = `${UNIT}/bridge/gateway/protocol/stateless.test.ts`;
export const OUTSIDE = `${UNIT}/bridge/gateway/outside/outsideGateway.test.ts`;
export const REQUESTS = `${UNIT}/connection/requests.test.ts`;
export const QUESTIONS = `${UNIT}/connection/serverQuestions.test.ts`;
export const ITEMS = `${UNIT}/bridge/lmTools/listItems.test.ts`;
export const PARTS = `${UNIT}/calls/results/resultParts.test.ts`;
export const REMOTE = `${UNIT}/connection/remote.test.ts`;
export const STDIO = `${UNIT}/connection/stdio.test.ts`;
export const FORM = `${UNIT}/bridge/serverQuestions/formFields.test.ts`;
export const CONFORMANCE = /** @type {const} */ ([
  'test/conformance/clients.mjs',
  'every scenario for clients, of each revision and of each extension',
]);
