// Loaded with *Check for Server Updates…*.
import { say } from '../../../base/say.ts';
import * as vscode from 'vscode';
import { messageOf } from '../../../base/errors.ts';
import { readOnlyText } from '../../../bridge/readOnlyText.ts';
import { plainText } from '../../../bridge/text/safeText.ts';
import { notify } from '../../../bridge/dialogs/showNotification.ts';
import { entryAsJson } from '../../../config/clients/importServers.ts';
import type { ServerEntry, TransportSpec } from '../../../config/configTypes.ts';
import { RegistryClient } from '../../../config/registry/registryClient.ts';
import type { RegistryEntry } from '../../../config/registry/registryEntry.ts';
import {
  answersFor,
  answersIn,
  isKept,
  isNewer,
  isSameHost,
  optionOf,
  ownPairs,
  sameOption,
} from '../../../config/registry/registryUpdate.ts';
import { serverOptions, shortName, type ServerOption } from '../../../config/registry/serverJson.ts';
import type { SetupQuestion } from '../../../config/registry/setupQuestions.ts';
import type { PastedServer } from '../../../config/paste/readPasted.ts';
import type { Host } from '../../../host/host.ts';
import { readRegistryUrl } from '../../../platform/settings/registrySettings.ts';
import { canBeRemoved } from '../../servers/canBeRemoved.ts';
import { askChoice } from '../../askChoice.ts';
import { builtServer } from '../builtServer.ts';
import { unlessCancelled } from '../../withCancel.ts';
import { publisherOf } from './registryLabels.ts';
import { askSetup } from '../setupDialog.ts';
import { writeUpdate } from './writeUpdate.ts';
import { localized } from '../../../bridge/text/localized.ts';

interface Update {
  readonly entry: ServerEntry;
  readonly latest: RegistryEntry;
}

/** *Check for Server Updates…*: asks the registry for newer versions, shows each as a difference, and writes it if the user agrees. */
export async function checkServerUpdates(host: Host): Promise<void> {
  const { t } = vscode.l10n;
  const known = host.views.filter((view) => view.definition.entry.registry !== undefined && canBeRemoved(view));
  if (known.length === 0) {
    void notify('information', t('No servers from an MCP registry. Updates of others can’t be looked up.'));
    return;
  }
  const client = new RegistryClient({ url: readRegistryUrl(), fetch: (url, init) => globalThis.fetch(url, init) });
  const found = await unlessCancelled(t('Looking for server updates'), (signal) =>
    findUpdates(
      client,
      known.map(({ definition }) => definition.entry),
      signal,
    ),
  );
  if (!found) return;
  const { updates, failures } = found;
  for (const failure of failures) void notify('warning', failure);
  if (updates.length === 0) {
    if (failures.length === 0) void notify('information', t('All servers from the registry are up to date.'));
    return;
  }
  const update =
    updates.length === 1
      ? updates[0]
      : await askChoice<Update>({
          title: t('{0} updates', updates.length),
          placeHolder: t('Select a server to see what changes'),
          choices: updates.map((each) => ({ ...updateItem(each), value: each })),
          about: t('From {0}', client.host),
          lines: [t('Nothing is changed before you have seen it.')],
        });
  if (update) await offerUpdate(host, client, update);
}

function updateItem({ entry, latest }: Update): vscode.QuickPickItem {
  return {
    label: plainText(entry.name),
    description: plainText(`${entry.registry?.version ?? ''} → ${latest.version} · ${publisherOf(latest.name)}`),
    detail: plainText(latest.statusMessage ?? latest.description),
  };
}

async function findUpdates(
  client: RegistryClient,
  entries: readonly ServerEntry[],
  signal: AbortSignal,
): Promise<{ readonly updates: readonly Update[]; readonly failures: readonly string[] }> {
  const updates: Update[] = [];
  const failures: string[] = [];
  for (const entry of entries) {
    const { name = '', version } = entry.registry ?? {};
    try {
      const latest = await client.version(name, 'latest', signal);
      if (isNewer(latest.version, version)) updates.push({ entry, latest });
    } catch (error) {
      if (signal.aborted) throw error;
      failures.push(`“${entry.name}”: ${localized(messageOf(error))}`);
    }
  }
  return { updates, failures };
}

async function offerUpdate(host: Host, client: RegistryClient, { entry, latest }: Update): Promise<void> {
  const { t } = vscode.l10n;
  const updated = await updatedServer(client, entry, latest);
  if (updated === undefined) return;
  const { next, isExact } = updated;
  const changed = (value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
    const { command: _command, args: _args, env: _env, url: _url, headers: _headers, type: _type, ...kept } = value;
    const { command, args, env, url, headers, type, registry } = entryAsJson(
      next.entry,
      entry.section === 'servers' ? 'servers' : 'mcpServers',
    );
    return withoutUndefined({ type, command, args, env, url, headers, ...kept, registry });
  };
  const before = entryAsJson(entry, 'mcpServers');
  const text = (value: unknown): string[] => JSON.stringify(value, undefined, 2).split('\n').map(plainText);
  const old = entry.registry?.version ?? '';
  await vscode.commands.executeCommand(
    'vscode.diff',
    readOnlyText(`${entry.name} ${old}.json`, text(before)),
    readOnlyText(`${entry.name} ${latest.version}.json`, text(changed(before))),
    plainText(`${entry.name}: ${old} ↔ ${latest.version}`),
    { preview: true },
  );
  const answer = await askChoice<'update' | 'skip'>({
    title: t('Update “{0}” from {1} to {2}?', ...[entry.name, old, latest.version].map(plainText)),
    placeHolder: t('The difference is shown in the editor.'),
    choices: [
      { label: `$(close) ${t('Don’t Update')}`, value: 'skip' },
      { label: `$(check) ${t('Update')}`, value: 'update' },
    ],
    about: t('Publisher'),
    lines: [
      plainText(publisherOf(latest.name)),
      ...(latest.statusMessage === undefined ? [] : [plainText(latest.statusMessage)]),
    ],
  });
  if (answer === 'update') await writeUpdate(host, entry, next, { change: changed, isExact });
}

/**
 * The new definition with what was answered to the old one; what is new and has to be given is asked for. Where the old one
 * was changed by hand, everything is.
 */
async function updatedServer(
  client: RegistryClient,
  entry: ServerEntry,
  latest: RegistryEntry,
): Promise<{ readonly next: PastedServer; readonly isExact: boolean } | undefined> {
  const { t } = vscode.l10n;
  const of = (each: RegistryEntry): readonly ServerOption[] => serverOptions(each.server, shortName(each.server));
  const old = await unlessCancelled(
    t('Reading the version of “{0}” that is configured', plainText(entry.name)),
    (signal) =>
      client.version(latest.name, entry.registry?.version ?? '', signal).catch((error: unknown) => {
        if (signal.aborted) throw error;
        // It may be gone from the registry.
        return latest;
      }),
  );
  const was = old && optionOf(of(old), entry.transport);
  const option = was && sameOption(of(latest), was);
  if (!old) return undefined;
  const refuse = (): undefined =>
    void notify(
      'warning',
      t('“{0}” {1} no longer has the package or address that is configured. Add it anew.', entry.name, latest.version),
    );
  if (!option || option.bundle) return refuse();
  const { answers: found, isExact } = answersIn(entry.transport, was);
  const known = answersFor(option, found);
  const isAsked = new Set(was.questions.map(({ id }) => id));
  const isFresh = ({ id, isRequired }: SetupQuestion): boolean =>
    !known.has(id) && (isRequired || !isAsked.has(id) || found.has(id));
  const fresh = option.questions.filter(
    (question) => isFresh(question) || (!isExact && !isKept(known.get(question.id)?.[0])),
  );
  const title = isExact
    ? t('New in {0}', latest.version)
    : t('“{0}” was changed by hand: check its values', entry.name);
  if (!isExact && fresh.length === 0) void notify('warning', title);
  const answers = fresh.length === 0 ? known : await askSetup(title, fresh, known);
  if (answers === undefined || answers === 'back') return undefined;
  const server = builtServer(latest, option, answers);
  if ('message' in server) throw new Error(say`${server.message} ${server.fix}`);
  // What is kept already is carried over, and not what stands for it here.
  const given = new Map([...server.answers].filter(([, answer]) => !isKept(answer)));
  const transport = withOwn(server.entry.transport, ownPairs(entry.transport, was));
  if (!isSameHost(entry.transport, transport)) return refuse();
  return { next: { ...server, entry: { ...server.entry, name: entry.name, transport }, answers: given }, isExact };
}

/** With the variables or headers that the user has added. */
function withOwn(transport: TransportSpec, own: Readonly<Record<string, string>>): TransportSpec {
  if (transport.type === 'sdk') return transport;
  return transport.type === 'stdio'
    ? { ...transport, env: { ...own, ...transport.env } }
    : { ...transport, headers: { ...own, ...transport.headers } };
}

function withoutUndefined(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined));
}
