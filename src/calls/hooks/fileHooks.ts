// Loaded where a settings file of Claude Code has hooks.
import type { SourceResult } from '../../config/configTypes.ts';
import { joinedHooks, readHooks } from './hookSettings.ts';
import type { HookGroups } from './hookTypes.ts';

/** The hooks of Claude Code's settings files: the user's, and those of the folder in which hooks run. */
export function readFileHooks(results: readonly SourceResult[], folder: string | undefined): HookGroups {
  const all = results.flatMap(({ source, hooks }) => {
    if (!hooks || (source.folder && source.folder.path !== folder)) return [];
    return [readHooks(hooks, source.scope === 'user' ? 'user' : 'workspace')];
  });
  return joinedHooks(all);
}
