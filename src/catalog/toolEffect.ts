import type { ToolAnnotations } from '../connection/connectionTypes.ts';
import type { ToolEffect } from './catalogTypes.ts';

/**
 * What a tool may do, as far as its annotations say (specification: `ToolAnnotations`). Only `readOnlyHint: true`
 * makes it read-only; of the rest only `destructiveHint: false` says that it destroys nothing.
 */
export function effectOf(annotations: ToolAnnotations): ToolEffect {
  if (annotations.readOnlyHint === true) return 'read-only';
  return annotations.destructiveHint === false ? 'writes' : 'destructive';
}
