// Loaded when servers are added.
import { localized } from '../../bridge/text/localized.ts';
import * as vscode from 'vscode';
import type { SourceOptions } from '../../config/configSources.ts';
import { readPasted, type PasteContext } from '../../config/paste/readPasted.ts';
import type { Host } from '../../host/host.ts';
import { readSourceOptions, type StorageFolders } from '../../platform/configPorts.ts';
import { askText } from '../askText.ts';
import { addChosen, type AddOutcome, type Offer } from './addChosen.ts';
import { askStart, type AddWay } from './addStart.ts';
import { askPasted, type ReadText } from './pasteBox.ts';

/** Where this extension keeps files, and what it is called: parts of the editor's `ExtensionContext`. */
export type ExtensionStorage = StorageFolders & Pick<vscode.ExtensionContext, 'extension'>;

/** What adding servers needs. */
export interface AddPorts {
  readonly host: Host;
  readonly options: SourceOptions;
  /** Where bundles are unpacked. */
  readonly bundlesFolder: string;
  readonly fetch: typeof fetch;
}

export function addPortsOf(host: Host, storage: ExtensionStorage): AddPorts {
  return {
    host,
    options: readSourceOptions(storage),
    bundlesFolder: vscode.Uri.joinPath(storage.globalStorageUri, 'bundles').fsPath,
    // Looked up at each call, because the editor patches it for its proxy and certificate settings.
    fetch: (input, init) => globalThis.fetch(input, init),
  };
}

/**
 * *Add Server…*: servers in any form, from a package, a bundle or a registry. Closing any question leaves nothing written and
 * no process; *Back* goes to the one before.
 * @param line the text to start with: whoever runs the command may give it, so it is shown
 * @returns the names, parted by commas; `undefined` if the user cancelled
 */
export async function addServerInteractively(
  host: Host,
  storage: ExtensionStorage,
  line = '',
): Promise<string | undefined> {
  const ports = addPortsOf(host, storage);
  for (let text = line; ;) {
    const context = await pasteContext(ports.host);
    const start = await askStart(text, context);
    if (start === undefined) return undefined;
    if (start === 'import') return void (await vscode.commands.executeCommand('mcpSwitchboard.importServers'));
    const outcome = typeof start === 'string' ? await addBy(start, ports, context) : await addRead(start, ports);
    if (outcome !== 'edit') return outcome?.names;
    text = typeof start === 'string' ? '' : start.text;
  }
}

/** What a text is read with. */
export async function pasteContext(host: Host): Promise<PasteContext> {
  const [{ readToml }, { readYaml }] = await Promise.all([
    import('../../config/syntax/readToml.ts'),
    import('../../config/syntax/readYaml.ts'),
  ]);
  const taken = new Set(host.views.map(({ definition }) => definition.entry.name));
  return { platform: process.platform, taken, readToml, readYaml };
}

function addRead({ pasted }: ReadText, { host, options }: AddPorts): Promise<AddOutcome> {
  return addChosen(host, options, offerOf(pasted));
}

export function offerOf({ servers, leftOut }: ReadText['pasted']): Offer {
  return { servers, notes: leftOut };
}

/** Each goes on until it is done, closed, or gone back to the start: then it gives `edit`. */
async function addBy(way: Exclude<AddWay, 'import'>, ports: AddPorts, context: PasteContext): Promise<AddOutcome> {
  switch (way) {
    case 'line':
      return addLine(ports, context);
    case 'registry':
      return (await import('./registry/registryBrowser.ts')).browseRegistry(ports);
    case 'bundle':
      return (await import('./addBundle.ts')).addLocalBundle(ports);
    case 'npm':
    case 'pypi':
    case 'docker':
      return addPackage(way, ports, context);
  }
}

async function addLine(ports: AddPorts, context: PasteContext): Promise<AddOutcome> {
  for (let text = ''; ;) {
    const read = await askPasted(text, context);
    if (read === undefined) return undefined;
    if (read === 'back') return 'edit';
    const outcome = await addRead(read, ports);
    if (outcome !== 'edit') return outcome;
    text = read.text;
  }
}

/** The words in front of a package's name. */
const RUNNERS = { npm: 'npx -y ', pypi: 'uvx ', docker: 'docker run -i --rm ' } as const;

async function addPackage(kind: keyof typeof RUNNERS, ports: AddPorts, context: PasteContext): Promise<AddOutcome> {
  const { t } = vscode.l10n;
  const prompts = {
    npm: t('npm package, with arguments if it takes any'),
    pypi: t('PyPI package, with arguments if it takes any'),
    docker: t('Docker image, with arguments if it takes any'),
  };
  const examples = {
    npm: '@modelcontextprotocol/server-filesystem ~/Documents',
    pypi: 'mcp-server-git',
    docker: 'ghcr.io/github/github-mcp-server',
  };
  for (let value = ''; ;) {
    const read = (text: string): ReturnType<typeof readPasted> => readPasted(RUNNERS[kind] + text.trim(), context);
    const answer = await askText({
      title: t('Add MCP Server'),
      prompt: prompts[kind],
      placeholder: examples[kind],
      value,
      faultOf: (text) => {
        if (text.trim() === '') return t('Enter a name.');
        const pasted = read(text);
        return 'message' in pasted ? `${localized(pasted.message)} ${localized(pasted.fix)}` : undefined;
      },
    });
    if (answer === undefined) return undefined;
    if (answer === 'back') return 'edit';
    const pasted = read(answer.text);
    if ('message' in pasted) continue;
    const outcome = await addChosen(ports.host, ports.options, offerOf(pasted));
    if (outcome !== 'edit') return outcome;
    value = answer.text;
  }
}
