// Loaded before the first server is.
import type { JsonValue } from '../../base/json/json.ts';
import { pages } from './listServerItems.ts';
import type { PinnedKind } from './pinnedItems.ts';

/** Prompts (specification: *Prompts*), which are identified by their names. */
export const PROMPTS: PinnedKind = {
  noun: 'prompt',
  notification: 'notifications/prompts/list_changed',
  list: (session, signal) => pages(session, 'prompts/list', 'prompts', signal),
  nameOf: ({ name }) => (typeof name === 'string' ? name : undefined),
  asTool: ({ name, title, description, arguments: values }) => {
    if (typeof name !== 'string') return undefined;
    return {
      name,
      ...(typeof title === 'string' ? { title } : {}),
      ...(typeof description === 'string' ? { description } : {}),
      inputSchema: { arguments: (values ?? []) as JsonValue },
      annotations: {},
    };
  },
};
