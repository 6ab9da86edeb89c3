import type { ServerView } from '../../host/views/serverView.ts';

/** Whether the user can take its definition away: it stands in a file or setting of theirs, or was added for this session. */
export function canBeRemoved({ definition: { entry } }: ServerView): boolean {
  const { scope, source } = entry;
  return source.file === undefined ? /^(?:user:setting|dynamic:session)$/.test(source.id) : scope !== 'enterprise';
}
