// Loaded on first use.
import * as vscode from 'vscode';
import { plainText } from '../../bridge/safeText.ts';
import { canComplete, completeArgument } from '../../bridge/resources/completion.ts';
import {
  listAllResources,
  listAllTemplates,
  type Listing,
  type OfferedResource,
  type OfferedTemplate,
} from '../../bridge/resources/listing.ts';
import type { ResourceFiles } from '../../bridge/resources/resourceFiles.ts';
import { expandTemplate, templateVariables } from '../../bridge/resources/uriTemplate.ts';
import type { Host } from '../../host/host.ts';
import { askArguments } from './argumentSteps.ts';
import { pickOffer, type OfferItem } from './itemPick.ts';

const { t } = vscode.l10n;

type Offered = OfferedResource | OfferedTemplate;

/**
 * *Open Resource…*: the user picks a resource, or a template and its arguments, and the resource is shown.
 * @param server only the items of this server
 */
export async function openResource(host: Host, files: ResourceFiles, server?: string): Promise<void> {
  for (;;) {
    const offer = await pickOffer<Offered>({
      title: server === undefined ? t('Open Resource') : t('Open Resource of {0}', plainText(server)),
      placeHolder: t('Resources of the connected servers'),
      nothing: t('No connected server has resources.'),
      load: (signal) => load(host, signal, server),
      item: itemOf,
    });
    if (!offer) return;
    const uri = 'uri' in offer ? offer.uri : await fillTemplate(host, offer);
    if (uri === 'back') continue;
    if (uri === 'cancel') return;
    const documents = await files.documents();
    await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Window, title: t('Reading {0}', plainText(uri)) },
      () => documents.open({ server: offer.server, uri }),
    );
    return;
  }
}

async function load(host: Host, signal: AbortSignal, server: string | undefined): Promise<Listing<Offered>> {
  const [resources, templates] = await Promise.all([
    listAllResources(host, signal, server),
    listAllTemplates(host, signal, server),
  ]);
  const all: readonly Offered[] = [...templates.items, ...resources.items];
  return { items: all, failures: [...resources.failures, ...templates.failures] };
}

function itemOf(offer: Offered): OfferItem<Offered> {
  const isTemplate = 'uriTemplate' in offer;
  return {
    label: `$(${isTemplate ? 'symbol-parameter' : 'file'}) ${plainText(offer.title ?? offer.name)}`,
    description: plainText(isTemplate ? offer.uriTemplate : offer.uri),
    ...(offer.description === undefined ? {} : { detail: plainText(offer.description) }),
    offer,
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
