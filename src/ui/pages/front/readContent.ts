import type { EventsMessage, PageContent } from '../pageContent.ts';
import { isBlock, isEvent } from './read/readBlocks.ts';
import { isBoolean, isListOf, isOneOf, isShape, isText } from './read/shapes.ts';

const isContent = isShape<PageContent>({
  title: isText,
  language: isText,
  words: isShape<PageContent['words']>({ asTables: isText, showMore: isText, actions: isText, drawing: isText }),
  blocks: isListOf(isBlock),
});

/** The content that a message brings; `undefined` for anything else that is sent to the page. */
export function readContent(message: unknown): PageContent | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  const { type, content } = message as { readonly type?: unknown; readonly content?: unknown };
  return type === 'show' && isContent(content) ? (content as PageContent) : undefined;
}

const isEvents = isShape<EventsMessage>({ type: isOneOf('events'), isReset: isBoolean, events: isListOf(isEvent) });

/** The events that a message brings; `undefined` for anything else. */
export function readEvents(message: unknown): EventsMessage | undefined {
  return isEvents(message) ? (message as EventsMessage) : undefined;
}
