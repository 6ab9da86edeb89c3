// Loaded when a portable entry is first added or removed.
import { say } from '../../base/say.ts';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { SwitchboardError } from '../../base/errors.ts';
import { confirmWhole } from '../../bridge/dialogs/confirmWhole.ts';
import { paragraph } from '../../bridge/dialogs/dialogLines.ts';
import { outsideCommand, thisEditor } from '../../bridge/gateway/outside/outsideCommand.ts';
import type { OutsideAccess } from '../../bridge/gateway/outside/outsideAccess.ts';
import { ownInputs } from '../../bridge/dialogs/ownInputs.ts';
import { plainText } from '../../bridge/text/safeText.ts';
import { notify } from '../../bridge/dialogs/showNotification.ts';
import {
  isPortable,
  PORTABLE_FOLDER,
  PORTABLE_NAME,
  PORTABLE_SCRIPT,
  PORTABLE_SPEC,
} from '../../config/clients/portableEntry.ts';
import { sourcesFor, type SourceOptions } from '../../config/configSources.ts';
import type { ClientId, ConfigSource, ServerEntry } from '../../config/configTypes.ts';
import { addPortable, portableText } from '../../config/edit/addPortable.ts';
import type { EditedConfig } from '../../config/edit/editConfigFile.ts';
import { removeServer } from '../../config/edit/removeServer.ts';
import { parseSource, type ReadToml } from '../../config/read/parseSource.ts';
import { readSourceFile } from '../../config/sources/readSourceFile.ts';
import type { Host } from '../../host/host.ts';
import { editOrCreate, offerUndo, type Undo } from '../config/edit/fileUndo.ts';

/** A file that agents outside read, and what is in it. */
interface Place {
  readonly source: ConfigSource;
  readonly file: string;
  readonly client: ClientId;
  /** It comes with the folder, and others get it. */
  readonly isShared: boolean;
  readonly entries: readonly ServerEntry[];
}

/** The ends of the files that are offered, and whose form they have. */
const FILES: readonly (readonly [RegExp, ClientId])[] = [
  [/[\\/]\.mcp\.json$/, 'claude-code'],
  [/[\\/]\.github[\\/]mcp\.json$/, 'copilot'],
  [/[\\/]mcp-config\.json$/, 'copilot'],
  [/[\\/]config\.toml$/, 'codex'],
  [/[\\/]\.claude\.json$/, 'claude-code'],
];

/**
 * *Add Portable Entry…*: writes one entry into a file that agents read, which gets them the servers of the window that has their
 * folder open. All that is written is shown first; the notification takes it back. Lets agents into this workspace.
 */
export async function addPortableEntry(host: Host, access: OutsideAccess, options: SourceOptions): Promise<void> {
  const { t } = vscode.l10n;
  const { readToml } = await import('../../config/syntax/readToml.ts');
  const places = await placesIn(options, readToml);
  const items = places.map((place) => ({
    label: plainText(place.source.label),
    description: place.entries.some(isPortable) ? t('there already') : '',
    detail: readersOf(place),
    place,
  }));
  const title = t('Add Portable Entry: Select a File');
  const picked = await ownInputs.ask(() => vscode.window.showQuickPick(items, { title, ignoreFocusOut: true }));
  if (!picked) return;
  const { place } = picked;
  const isThere = place.entries.some(isPortable);
  const taken = isThere ? undefined : place.entries.find(({ name }) => name === PORTABLE_NAME);
  if (taken)
    throw new SwitchboardError(
      'unsupported',
      say`${place.source.label} has another server “${PORTABLE_NAME}” already. Nothing was changed.`,
      { remedy: say`Rename or remove it first.` },
    );
  // What others get has nothing of this machine in it.
  const own = outsideCommand(thisEditor(), [path.join(options.home, PORTABLE_FOLDER, PORTABLE_SCRIPT)]);
  const spec = place.isShared ? PORTABLE_SPEC : ({ type: 'stdio', ...own } as const);
  const consequences = paragraph([
    t(
      'Agents that read this file can then use the servers of the window that has their folder open, under your permissions.',
    ),
    access.isOn ? t('Access is on in this workspace.') : t('Access is turned on in this workspace.'),
    ...(place.isShared
      ? [t('Everyone who has this folder’s files gets it: it has no secret, and does nothing without MCP Switchboard.')]
      : []),
  ]);
  const shown = isThere
    ? consequences
    : [consequences, t('Written into {0}:', plainText(place.file)), portableText(place.client, spec)].join('\n\n');
  const question = isThere
    ? t('Let agents outside VS Code in?')
    : t('Add the entry “{0}” to {1}?', PORTABLE_NAME, plainText(place.source.label));
  if (!(await confirmWhole(question, isThere ? t('Let In') : t('Add'), shown, t('Portable Entry')))) return;
  if (isThere) {
    await access.letInPortable();
    void notify('information', t('Agents outside VS Code can use the servers of this workspace.'));
    return;
  }
  const undo = await write(place, readToml, (text) => addPortable(text, place.source, place.client, spec, readToml));
  // Nobody is let in where it can't be written, and nothing stays written where nobody can be let in.
  const takeBack = await access.letInPortable().catch(async (error: unknown) => {
    await undo();
    throw error;
  });
  await host.config.reload();
  offerUndo(host, t('Added “{0}” to {1}.', PORTABLE_NAME, place.source.label), [undo, takeBack]);
}

/** *Remove Portable Entry…*: takes it out of the chosen files, and access that was turned on for it with the last one. */
export async function removePortableEntry(host: Host, access: OutsideAccess, options: SourceOptions): Promise<void> {
  const { t } = vscode.l10n;
  const { readToml } = await import('../../config/syntax/readToml.ts');
  const places = (await placesIn(options, readToml)).filter(({ entries }) => entries.some(isPortable));
  if (places.length === 0) {
    void notify('information', t('No file that agents read has a portable entry.'));
    return;
  }
  const items = places.map((place) => ({
    label: plainText(place.source.label),
    detail: readersOf(place),
    picked: true,
    place,
  }));
  const title = t('Remove Portable Entry: Select Files');
  const picked = await ownInputs.ask(() =>
    vscode.window.showQuickPick(items, { title, canPickMany: true, ignoreFocusOut: true }),
  );
  if (!picked || picked.length === 0) return;
  const undos: Undo[] = [];
  for (const { place } of picked)
    for (const { name } of place.entries.filter(isPortable))
      undos.push(await write(place, readToml, (text) => removeServer(text, place.source, name, readToml)));
  if (picked.length === places.length && access.isForPortable) {
    await access.revokePortable();
    undos.push(async () => void (await access.letInPortable()));
  }
  await host.config.reload();
  const files = picked.map(({ place }) => place.source.label).join(', ');
  offerUndo(host, t('Removed the portable entry from {0}.', files), undos);
}

/** Who reads a file, and so has the servers. */
function readersOf({ client, isShared }: Place): string {
  const { t } = vscode.l10n;
  if (client === 'codex') return t('Only you, in all folders: Codex');
  if (client === 'claude-code')
    return isShared
      ? t('Everyone on the project: Claude Code, GitHub Copilot in the terminal, and others')
      : t('Only you, in all folders: Claude Code');
  return isShared
    ? t('Everyone on the project: GitHub Copilot in the terminal, where there is no .mcp.json')
    : t('Only you, in all folders: GitHub Copilot in the terminal');
}

/** The files of the folders and of the user, whether they are there or not, and whether their servers are read here or not. */
async function placesIn(options: SourceOptions, readToml: ReadToml): Promise<readonly Place[]> {
  const sources = sourcesFor({ ...options, discovery: ['claude-code', 'copilot', 'codex'] });
  const found = sources.flatMap((source) => {
    const { file, folder, scope } = source;
    const client = file === undefined ? undefined : FILES.find(([end]) => end.test(file))?.[1];
    const isRead = scope === 'user' || scope === 'project' || (client === 'copilot' && folder !== undefined);
    return file !== undefined && client && isRead ? [{ source, file, client, isShared: folder !== undefined }] : [];
  });
  return Promise.all(
    found.map(async (place) => {
      const text = await readSourceFile(place.source, options.platform).catch(() => undefined);
      return { ...place, entries: text === undefined ? [] : parseSource(place.source, text, readToml).entries };
    }),
  );
}

/** Changes a file, or begins it: then undoing it takes it away. */
function write(place: Place, readToml: ReadToml, change: (text: string) => EditedConfig): Promise<Undo> {
  const uri = vscode.Uri.file(place.file);
  const revert = (text: string): EditedConfig | undefined => {
    const portable = parseSource(place.source, text, readToml).entries.find(isPortable);
    return portable && removeServer(text, place.source, portable.name, readToml);
  };
  return editOrCreate(uri, change, revert);
}
