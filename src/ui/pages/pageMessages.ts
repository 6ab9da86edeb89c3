import { isRecord } from '../../base/json/json.ts';
import type { Action, Block, PageContent, PageMessage, Row } from './pageContent.ts';

/** The most that a form sends, in UTF-16 units. */
const MOST_UNITS = 4_000_000;

/** What a page asks of the extension. */
export type PageRequest = Exclude<PageMessage, { readonly type: 'ready' }>;

/** What a page has said, if it is one of the messages that pages send; anything else is nothing. */
export function parsePageMessage(value: unknown): PageMessage | undefined {
  if (!isRecord(value)) return undefined;
  const { type, action, id, value: chosen, form, text, seq, as } = value;
  if (type === 'ready') return { type };
  if (type === 'act' && typeof action === 'string') return { type, action };
  if (type === 'choose' && typeof id === 'string' && typeof chosen === 'string') return { type, id, value: chosen };
  if (type === 'copy' && Number.isSafeInteger(seq) && (as === 'json' || as === 'curl'))
    return { type, seq: seq as number, as };
  if (type !== 'submit' || typeof form !== 'string' || typeof action !== 'string' || typeof text !== 'string')
    return undefined;
  return text.length > MOST_UNITS ? undefined : { type, form, action, text };
}

/** Whether the content offers this to its reader: what it doesn't offer isn't done, whatever the page says. */
export function offers({ blocks }: PageContent, message: PageRequest): boolean {
  return blocks.some((block) => blockOffers(block, message));
}

function blockOffers(block: Block, message: PageRequest): boolean {
  if (block.kind === 'tabs' && block.blocks.some((inner) => blockOffers(inner, message))) return true;
  switch (message.type) {
    case 'act':
      if (block.kind === 'buttons') return hasId(block.actions, message.action);
      return block.kind === 'table' && block.rows.some((row) => hasAction(row, message.action));
    case 'choose': {
      const { id, value } = message;
      const isAsked = (block.kind === 'choice' || block.kind === 'tabs') && block.id === id;
      return isAsked && block.options.some((option) => option.value === value);
    }
    case 'submit':
      return block.kind === 'form' && block.id === message.form && hasId(block.actions, message.action);
    case 'copy':
      return block.kind === 'events';
  }
}

/** Whether a page shows events. */
export function showsEvents({ blocks }: Pick<PageContent, 'blocks'>): boolean {
  return blocks.some((block) => block.kind === 'events' || (block.kind === 'tabs' && showsEvents(block)));
}

function hasAction({ actions, children }: Row, id: string): boolean {
  return hasId(actions, id) || children.some((row) => hasAction(row, id));
}

function hasId(actions: readonly Action[], id: string): boolean {
  return actions.some((action) => action.id === id);
}
