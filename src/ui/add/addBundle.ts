// Loaded when a bundle is added.
import { say } from '../../base/say.ts';
import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { LINE_LENGTH, wrapped } from '../../bridge/dialogs/dialogLines.ts';
import { plainText } from '../../bridge/text/safeText.ts';
import { SwitchboardError } from '../../base/errors.ts';
import { readBundleManifest, type BundleManifest } from '../../config/bundles/bundleManifest.ts';
import { sweepBundles } from '../../config/bundles/sweepBundles.ts';
import { openBundle, unpackBundle, type OpenBundle } from '../../config/bundles/unpackBundle.ts';
import { ZipRefused } from '../../config/bundles/zipDirectory.ts';
import { serverOf, type PastedServer } from '../../config/paste/readPasted.ts';
import type { SetupAnswers } from '../../config/registry/setupQuestions.ts';
import { launchLines } from '../../bridge/text/launchLines.ts';
import { askChoice } from '../askChoice.ts';
import { addChosen, type AddOutcome } from './addChosen.ts';
import type { AddPorts } from './addServer.ts';
import { unlessCancelled } from '../withCancel.ts';
import { askSetup } from './setupDialog.ts';

type Registry = { readonly name: string; readonly version: string };

/** *Bundle…*: a `.mcpb` or `.dxt` file of this machine. @returns `edit` for *Back* */
export async function addLocalBundle(ports: AddPorts): Promise<AddOutcome> {
  const [file] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t('Select a Bundle'),
      filters: { [vscode.l10n.t('MCP bundles')]: ['mcpb', 'dxt'] },
    })) ?? [];
  return file && addBundleFile(ports, file.fsPath);
}

/** A bundle of a registry: fetched, checked against its SHA-256, and treated as one of this machine. */
export async function addFetchedBundle(
  ports: AddPorts,
  { url, sha256 }: { readonly url: string; readonly sha256: string },
  registry: Registry,
): Promise<AddOutcome> {
  const { t } = vscode.l10n;
  await mkdir(ports.bundlesFolder, { recursive: true, mode: 0o700 });
  const file = path.join(ports.bundlesFolder, `${randomUUID()}.mcpb`);
  try {
    const { fetchBundle } = await import('../../config/bundles/fetchBundle.ts');
    const isFetched = await unlessCancelled(
      t('Fetching the bundle of {0}', plainText(registry.name)),
      async (signal, report) => {
        await fetchBundle(url, file, {
          fetch: ports.fetch,
          signal,
          sha256,
          onProgress: (bytes, all) =>
            report(all === undefined ? sizeText(bytes) : `${sizeText(bytes)} / ${sizeText(all)}`),
        });
        return true;
      },
    );
    return isFetched ? await addBundleFile(ports, file, registry) : undefined;
  } finally {
    await rm(file, { force: true });
  }
}

async function addBundleFile(ports: AddPorts, file: string, registry?: Registry): Promise<AddOutcome> {
  const bundle = await refusedAs(file, () => openBundle(file));
  const manifest = readBundleManifest(bundle.manifest, process.platform);
  if (typeof manifest === 'string') throw refusal(file, manifest);
  if (manifest.refusal !== undefined) throw refusal(file, manifest.refusal);
  if (manifest.entryPoint !== undefined && !bundle.has(manifest.entryPoint))
    throw refusal(file, say`What it runs, ${manifest.entryPoint}, isn’t in it.`);
  const folder = path.join(ports.bundlesFolder, `${manifest.name}-${bundle.sha256.slice(0, 16)}`);
  for (;;) {
    const next = await askChoice<'add' | 'back'>({
      title: plainText(`${manifest.title} ${manifest.version}`),
      placeHolder: vscode.l10n.t('Servers run with your permissions, like terminal commands.'),
      choices: [{ label: `$(add) ${vscode.l10n.t('Add')}`, value: 'add' }],
      about: vscode.l10n.t('In the bundle'),
      lines: bundleLines(manifest, bundle, folder).flatMap((line) => wrapped(line, LINE_LENGTH).map(plainText)),
      back: 'back',
    });
    if (next === undefined) return undefined;
    if (next === 'back') return 'edit';
    const answers = await askSetup(manifest.title, manifest.questions);
    if (answers === undefined) return undefined;
    if (answers === 'back') continue;
    const outcome = await addUnpacked(ports, { file, folder, bundle, manifest }, answers, registry);
    if (outcome !== 'edit') return outcome;
  }
}

interface Unpacking {
  readonly file: string;
  readonly folder: string;
  readonly bundle: OpenBundle;
  readonly manifest: BundleManifest;
}

/** What is unpacked for nothing is removed again. */
async function addUnpacked(
  ports: AddPorts,
  { file, folder, bundle, manifest }: Unpacking,
  answers: SetupAnswers,
  registry: Registry | undefined,
): Promise<AddOutcome> {
  const { t } = vscode.l10n;
  await mkdir(ports.bundlesFolder, { recursive: true, mode: 0o700 });
  await sweepBundles(ports.bundlesFolder, Date.now());
  const isNew = await refusedAs(file, () =>
    unlessCancelled(t('Unpacking {0}', plainText(manifest.title)), (signal, report) =>
      unpackBundle(file, folder, {
        signal,
        sha256: bundle.sha256,
        onProgress: (done, all) => report(t('{0} of {1} files', done, all)),
      }),
    ),
  );
  if (isNew === undefined) return undefined;
  let outcome: AddOutcome;
  try {
    const server = serverIn(manifest, folder, answers, registry);
    outcome = await addChosen(ports.host, ports.options, { servers: [server], notes: [], isOfThisMachine: true });
    return outcome;
  } finally {
    // Meanwhile it may have been added by other ways.
    const isUsed = ports.host.servers.definitions.some(
      ({ entry: { transport } }) => 'cwd' in transport && transport.cwd === folder,
    );
    if (isNew && typeof outcome !== 'object' && !isUsed) await rm(folder, { recursive: true, force: true });
  }
}

function serverIn(
  manifest: BundleManifest,
  folder: string,
  answers: SetupAnswers | undefined,
  registry?: Registry,
): PastedServer {
  const { value, inputs, secrets } = manifest.build(folder, answers);
  const raw = { name: manifest.name, value: { ...value, ...(registry ? { registry } : {}) } };
  const server = serverOf(raw, inputs, secrets, process.platform);
  if ('message' in server) throw new SwitchboardError('unsupported', say`${server.message} ${server.fix}`);
  return server;
}

function bundleLines(manifest: BundleManifest, { files, size, sha256 }: OpenBundle, folder: string): readonly string[] {
  const { t } = vscode.l10n;
  const { author, description, questions } = manifest;
  return [
    ...(description === '' ? [] : [description]),
    ...(author === '' ? [] : [t('Author, as it says: {0}', author)]),
    t('{0} files, {1}, SHA-256 {2}', files, sizeText(size), sha256),
    t('Unpacked into {0}', folder),
    ...launchLines(serverIn(manifest, folder, undefined).entry),
    ...questions.map(({ label, isRequired, isSecret }) =>
      t(
        'Takes: {0} ({1})',
        label,
        [isRequired ? t('required') : t('optional'), ...(isSecret ? [t('secret')] : [])].join(', '),
      ),
    ),
  ];
}

async function refusedAs<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ZipRefused ? refusal(file, error.message, error) : error;
  }
}

function refusal(file: string, reason: string, cause?: unknown): SwitchboardError {
  return new SwitchboardError('unsupported', say`${path.basename(file)} isn’t added. ${reason}`, { cause });
}

function sizeText(bytes: number): string {
  return bytes < 2 ** 20 ? `${Math.ceil(bytes / 2 ** 10)} KB` : `${(bytes / 2 ** 20).toFixed(1)} MB`;
}
