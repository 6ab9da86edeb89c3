import type { ServerDefinition } from '../../../servers/serverTypes.ts';
import { isOffHere } from '../../../servers/trust/offHere.ts';
import type { SharedServer } from './handOverState.ts';

/** What is published in place of a server that is off here. Nothing listens there: a start of it is refused before. */
export const NOWHERE = 'http://127.0.0.1:9/';

/**
 * Servers that don't run here and that the editor would start all the same: it knows nothing of what their file, the user,
 * a preset or a policy says to this extension. Published in their place, an entry of the same label has the editor disable
 * its own copy (see `enableInEditor`). One for all labels that differ in case alone, as the editor has them.
 * @param published labels of what runs here: the editor's copies of these names are disabled by those
 * @param editorIds what the editor calls its own copies of a server; none where it has none
 */
export function standInsFor(
  definitions: readonly ServerDefinition[],
  published: Iterable<string>,
  editorIds: (serverId: string) => readonly string[],
): readonly SharedServer[] {
  const labels = new Set([...published].map((label) => label.toLowerCase()));
  const standIns: SharedServer[] = [];
  for (const { id, name, status } of definitions) {
    if (!isOffHere(status) || labels.has(name.toLowerCase())) continue;
    const ids = editorIds(id);
    if (ids.length === 0) continue;
    labels.add(name.toLowerCase());
    standIns.push({ serverId: id, label: name, editorIds: ids, hasOwnLabel: false });
  }
  return standIns;
}
