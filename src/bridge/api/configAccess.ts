import * as vscode from 'vscode';
import type { ApiError, ConfigProblem, WritableScope } from '../../api.d.ts';
import { Sequencer } from '../../base/async.ts';
import { SwitchboardError } from '../../base/errors.ts';
import { paragraph } from '../dialogs/dialogLines.ts';
import { parseAnySource } from '../../config/read/parseSource.ts';
import { changedEntries } from '../../config/edit/changedEntries.ts';
import { OWN_SCOPES, type ConfigSource, type ServerEntry } from '../../config/configTypes.ts';
import type { Host } from '../../host/host.ts';
import { launchLines } from '../text/launchLines.ts';
import { quoted } from '../../servers/trust/summary/quotedText.ts';
import { confirmForOthers } from '../dialogs/confirmWhole.ts';
import { textOf, problemShape } from './apiShapes.ts';

/** Where a scope's own text is kept. */
export interface ConfigPlace {
  readonly source: ConfigSource;
  read(): Promise<string | undefined>;
  /** @throws SwitchboardError `unsupported` where it can't be written now */
  write(text: string): Promise<void>;
}

export interface ConfigPlaces {
  place(scope: WritableScope): Promise<ConfigPlace | undefined>;
}

const EMPTY = '{\n  "mcpServers": {\n  }\n}\n';
const writes = new Sequencer();

/** See `ServerConfig.getAsJson`. */
export async function getAsJson(places: ConfigPlaces, scope: WritableScope): Promise<string> {
  return (await (await placeOf(places, scope)).read()) ?? EMPTY;
}

/** See `ServerConfig.setFromJson`. */
export function setFromJson(
  context: { readonly host: Host; readonly places: ConfigPlaces; readonly caller: string },
  scope: WritableScope,
  text: string,
): Promise<readonly ConfigProblem[]> {
  return writes.run(async () => {
    const { host, places, caller } = context;
    const place = await placeOf(places, scope);
    const { parsed, entries, problems } = await parseAnySource(place.source, textOf(text, 'text'));
    const told = problems.map(problemShape);
    if (!parsed || problems.some(({ severity }) => severity === 'error')) throw refusal(scope, told);
    const before = await place.read();
    const known = await parseAnySource(place.source, before ?? '');
    // They start without an approval.
    if (OWN_SCOPES.has(scope)) await askAbout(changedEntries(known.entries, entries), scope, caller);
    if ((await place.read()) !== before) throw changedMeanwhile(scope);
    await place.write(text);
    await host.config.reload();
    return told;
  });
}

async function placeOf(places: ConfigPlaces, scope: WritableScope): Promise<ConfigPlace> {
  const place = await places.place(scope);
  if (place) return place;
  throw new SwitchboardError('unsupported', `The scope “${scope}” can’t be written here.`, {
    remedy: 'Use user, or, with a folder open, project, workspace or local.',
  });
}

function refusal(scope: WritableScope, problems: readonly ConfigProblem[]): Error {
  const lines = problems
    .filter(({ severity }) => severity === 'error')
    .map(({ line, column, message, fix }) => `${line}:${column} ${[message, fix].filter(Boolean).join(' ')}`);
  const error = new SwitchboardError(
    'invalid-arguments',
    `The text for the scope “${scope}” has errors, and nothing was changed: ${lines.join(' · ')}`,
  );
  return Object.assign(error, { problems } satisfies Pick<ApiError, 'problems'>);
}

/** Another process wrote while the user was asked: theirs is kept. */
function changedMeanwhile(scope: WritableScope): Error {
  return new SwitchboardError('denied', `The scope “${scope}” changed while the user was asked. Nothing was written.`, {
    remedy: 'Read it with getAsJson and try again.',
  });
}

/** @throws SwitchboardError `denied` */
async function askAbout(entries: readonly ServerEntry[], scope: WritableScope, caller: string): Promise<void> {
  if (entries.length === 0) return;
  const { t } = vscode.l10n;
  const servers = entries.map((entry) => paragraph([`${quoted(entry.name)}:`, ...launchLines(entry)]));
  const question = t('Allow the extension {0} to write MCP servers to your configuration ({1})?', caller, scope);
  const warning = t('They start without asking you again.');
  const text = [warning, ...servers].join('\n\n');
  const agreed = await confirmForOthers(question, t('Write Servers'), text, t('What Runs'));
  if (!agreed) throw new SwitchboardError('denied', 'The user denied the change. Nothing was changed.');
}
