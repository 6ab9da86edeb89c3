// Loaded on first use.
import * as vscode from 'vscode';
import { plainText } from '../../bridge/text/safeText.ts';
import { canComplete, completeArgument } from '../../bridge/resources/completion.ts';
import {
  listAllResources,
  listAllTemplates,
  type Listing,
  type OfferedResource,
  type OfferedTemplate,
} from '../../bridge/resources/listOffered.ts';
import type { ResourceFiles } from '../../bridge/resources/lazyDocuments.ts';
import { expandTemplate, templateVariables } from '../../bridge/resources/uriTemplate.ts';
import type { Host } from '../../host/host.ts';
import { askArguments } from './argumentSteps.ts';
import { pickItem, type ItemPick } from './itemPick.ts';

const { t } = vscode.l10n;

type Item = OfferedResource | OfferedTemplate;

/**
 * *Open Resource…*: the user picks a resource, or a template and its arguments, and the resource is shown.
 * @param server only the items of this server
 * @param chosen the user has picked this one already
 */
export async function openResource(host: Host, files: ResourceFiles, server?: string, chosen?: Item): Promise<void> {
  for (let first = chosen; ; first = undefined) {
    const item =
      first ??
      (await pickItem<Item>({
        title: server === undefined ? t('Open Resource') : t('Open Resource of {0}', plainText(server)),
        placeHolder: t('Resources of the connected servers'),
        nothing: t('No connected server has resources.'),
        load: (signal) => load(host, signal, server),
        toPick: pickOf,
      }));
    if (!item) return;
    const uri = 'uri' in item ? item.uri : await fillTemplate(host, item);
    if (uri === 'back') continue;
    if (uri === 'cancel') return;
    const documents = await files.documents();
    await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Window, title: t('Reading {0}', plainText(uri)) },
      () => documents.open({ server: item.server, uri }),
    );
    return;
  }
}

async function load(host: Host, signal: AbortSignal, server: string | undefined): Promise<Listing<Item>> {
  const [resources, templates] = await Promise.all([
    listAllResources(host, signal, server),
    listAllTemplates(host, signal, server),
  ]);
  const all: readonly Item[] = [...templates.items, ...resources.items];
  return { items: all, failures: [...resources.failures, ...templates.failures] };
}

function pickOf(item: Item): ItemPick<Item> {
  const isTemplate = 'uriTemplate' in item;
  return {
    label: `$(${isTemplate ? 'symbol-parameter' : 'file'}) ${plainText(item.title ?? item.name)}`,
    description: plainText(isTemplate ? item.uriTemplate : item.uri),
    ...(item.description === undefined ? {} : { detail: plainText(item.description) }),
    item,
  };
}

async function fillTemplate(host: Host, template: OfferedTemplate): Promise<string | 'back' | 'cancel'> {
  const { server, uriTemplate } = template;
  const of = { kind: 'template', uriTemplate } as const;
  const values = await askArguments({
    title: template.title ?? template.name,
    // A template doesn't say which variables are optional: those in a query are.
    fields: templateVariables(uriTemplate).map((name) => ({ name, required: isNeeded(uriTemplate, name) })),
    ...(canComplete(host, server)
      ? {
          complete: (field, value, others, signal) =>
            completeArgument(host, { server, of, argument: field.name, value, others }, signal),
        }
      : {}),
  });
  return typeof values === 'string' ? values : expandTemplate(uriTemplate, values);
}

/** Whether a variable is used outside of a query. */
function isNeeded(uriTemplate: string, name: string): boolean {
  return templateVariables(uriTemplate.replaceAll(/\{[?&;#][^{}]*\}/g, '')).includes(name);
}
