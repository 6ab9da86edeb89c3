/** What a tool, or a request, is about to do with a thing: the four of every programming interface. */
export type Action = 'read' | 'create' | 'update' | 'delete';

/** The usual verbs of programming interfaces. One that is used for several actions isn't listed. */
const VERBS: Readonly<Record<Action, string>> = {
  read:
    'browse check count describe display download fetch find get inspect list look lookup query read retrieve search ' +
    'see show view',
  create:
    'add append book build create draft generate insert make new open post publish raise schedule send start submit upload write',
  update: 'adjust assign change configure edit modify move patch rename replace rewrite set update',
  delete: 'cancel clear delete destroy discard drop erase purge remove uninstall',
};

const ACTION_OF: ReadonlyMap<string, Action> = new Map(
  (Object.keys(VERBS) as Action[]).flatMap((action) => VERBS[action].split(' ').map((verb) => [verb, action] as const)),
);

/** The action that a tool's name says, by the first verb among its words. */
export function actionOf(nameWords: readonly string[]): Action | undefined {
  for (const word of nameWords) {
    const action = ACTION_OF.get(word);
    if (action !== undefined) return action;
  }
  return undefined;
}

/** Every action that the words of a request may mean. */
export function actionsIn(words: readonly string[]): ReadonlySet<Action> {
  return new Set(words.map((word) => ACTION_OF.get(word)).filter((action) => action !== undefined));
}
