import type { OpenChange } from '../../catalog/toolPins.ts';

/**
 * What a change is told by, once. A tool's is told again when it is another one. A prompt's or skill's is one for as long as
 * the same is approved: a server can give another text each time it lists them.
 */
export function noticeKey({ of, change }: OpenChange): string {
  return `${of}\n${change.name}\n${of === 'tool' ? currentOf(change) : approvedOf(change)}`;
}

function approvedOf(change: OpenChange['change']): string {
  return 'pinned' in change ? change.pinned.hash : change.kind;
}

function currentOf(change: OpenChange['change']): string {
  return change.kind === 'changed' ? `${change.current.hash}${change.current.annotations}` : change.kind;
}
