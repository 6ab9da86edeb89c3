import type { Rows } from './edit.ts';

/** What leaves with a trace, and where to. */
export const tracing: Rows = {
  'An agent, or a server, puts something else than the place in a trace into `traceparent` or `tracestate`': [
    [
      'src/calls/tracing/callSpans.ts',
      'parentOf(call.meta) : script?.span',
      '(parentOf(call.meta) ?? Object({ traceId: String(call.meta?.traceparent), spanId: "1", state: String(call.meta?.tracestate) })) : script?.span',
    ],
    [
      'src/calls/tracing/connectionSpans.ts',
      '_meta: withContext(meta, context)',
      '_meta: { ...withContext(meta, context), ...meta }',
    ],
  ],
  'A folder names where traces are sent': [
    [
      'src/platform/settings/hostSettings.ts',
      "own('tracing.endpoint')",
      "vscode.workspace.getConfiguration('mcpSwitchboard').get('tracing.endpoint')",
    ],
  ],
  'An address for traces sends them elsewhere': [
    ['src/calls/tracing/openSpanExport.ts', "redirect: 'error'", "redirect: 'follow'"],
  ],
  'An address for traces where nobody answers, or that never takes any': [
    [
      'src/calls/tracing/spanExport.ts',
      'if (this.#waiting.length >= MAX_WAITING) this.#waiting.splice(0, MAX_SENT);',
      '',
    ],
  ],
  'What was asked, answered or read leaves with a trace': [
    [
      'src/calls/tracing/callSpans.ts',
      "return { 'error.type': error.code };",
      "return { 'error.type': error.message };",
    ],
    [
      'src/calls/tracing/callSpans.ts',
      "return { 'error.type': String(code), 'rpc",
      "return { 'error.type': error.message, 'rpc",
    ],
  ],
};
