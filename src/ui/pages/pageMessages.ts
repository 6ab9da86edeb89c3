import { isRecord } from '../../base/json/json.ts';
import type { PageContent, PageMessage, Row } from './pageContent.ts';

/** What a page has said, if it is one of the messages that pages send; anything else is nothing. */
export function parsePageMessage(value: unknown): PageMessage | undefined {
  if (!isRecord(value)) return undefined;
  const { type, action, id, value: chosen } = value;
  if (type === 'ready') return { type };
  if (type === 'act' && typeof action === 'string') return { type, action };
  if (type === 'choose' && typeof id === 'string' && typeof chosen === 'string') return { type, id, value: chosen };
  return undefined;
}

/** Whether the content offers this to its reader: what it doesn't offer isn't done, whatever the page says. */
export function offers({ blocks }: PageContent, message: Exclude<PageMessage, { readonly type: 'ready' }>): boolean {
  return blocks.some((block) =>
    message.type === 'act'
      ? block.kind === 'table' && block.rows.some((row) => hasAction(row, message.action))
      : block.kind === 'choice' &&
        block.id === message.id &&
        block.options.some((option) => option.value === message.value),
  );
}

function hasAction({ actions, children }: Row, id: string): boolean {
  return actions.some((action) => action.id === id) || children.some((row) => hasAction(row, id));
}
