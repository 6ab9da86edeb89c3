import * as vscode from 'vscode';
import { canComplete, proposedValues, type CompletionOf } from '../../../bridge/resources/completion.ts';
import {
  listAllPrompts,
  listAllResources,
  listAllTemplates,
  type OfferedPrompt,
} from '../../../bridge/resources/listOffered.ts';
import { getPromptMessages, type PromptMessage } from '../../../bridge/resources/prompts.ts';
import { readContents, type ResourceContent } from '../../../bridge/resources/readContents.ts';
import { expandTemplate, templateVariables } from '../../../bridge/resources/uriTemplate.ts';
import { oneLine } from '../../../base/text/showInvisible.ts';
import type { Host } from '../../../host/host.ts';
import type { Block } from '../pageContent.ts';
import { BY_USER } from './inspectorRun.ts';
import type { InspectedItem, ItemsOptions } from './itemsTab.ts';
import { codeBlock, dataBlock, textBlock } from './resultBlocks.ts';

/** *Resources*, templates among them. */
export function resourcesOptions(): ItemsOptions {
  const { t } = vscode.l10n;
  return {
    id: 'resource',
    label: t('Resource'),
    none: t('No connected server has resources.'),
    button: t('Read'),
    list: async (host, server, signal) => {
      const [resources, templates] = await Promise.all([
        listAllResources(host, signal, server),
        listAllTemplates(host, signal, server),
      ]);
      const read = async (of: string, uri: string, running: AbortSignal): Promise<readonly Block[]> =>
        (await readContents(host, { ...BY_USER, server: of, uri, signal: running })).map(contentBlock);
      const items = [
        ...resources.items.map(({ uri, ...each }) =>
          itemOf('resource', each, uri, [], (_values, running) => read(each.server, uri, running)),
        ),
        ...templates.items.map(({ uriTemplate, ...each }) => {
          const fields = templateVariables(uriTemplate).map((name) => ({ name, required: true }));
          return itemOf(
            'template',
            each,
            uriTemplate,
            fields,
            (values, running) => read(each.server, expandTemplate(uriTemplate, values), running),
            completionIn(host, each.server, { kind: 'template', uriTemplate }),
          );
        }),
      ];
      return { items, failures: [...resources.failures, ...templates.failures] };
    },
  };
}

/** *Prompts*. */
export function promptsOptions(): ItemsOptions {
  const { t } = vscode.l10n;
  const get = async (
    host: Host,
    { server, name }: OfferedPrompt,
    values: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<readonly Block[]> => {
    const messages = await getPromptMessages(host, { ...BY_USER, server, name, arguments: values }, signal);
    return messages.map(messageBlock);
  };
  return {
    id: 'prompt',
    label: t('Prompt'),
    none: t('No connected server has prompts.'),
    button: t('Get'),
    list: async (host, server, signal) => {
      const { items, failures } = await listAllPrompts(host, signal, server);
      return {
        items: items.map((prompt) =>
          itemOf(
            'prompt',
            prompt,
            prompt.name,
            prompt.arguments ?? [],
            (values, running) => get(host, prompt, values, running),
            completionIn(host, prompt.server, { kind: 'prompt', name: prompt.name }),
          ),
        ),
        failures,
      };
    },
  };
}

/** What completes the arguments of an item, where its server does. */
function completionIn(host: Host, server: string, of: CompletionOf): Pick<InspectedItem, 'complete'> {
  if (!canComplete(host, server)) return {};
  return {
    complete: (argument, values, signal) => {
      const { [argument]: value = '', ...others } = values;
      return proposedValues(host, { server, of, argument, value, others }, signal);
    },
  };
}

function itemOf(
  kind: string,
  { server, name, title, description = '' }: { server: string; name: string; title?: string; description?: string },
  address: string,
  fields: InspectedItem['fields'],
  fetch: InspectedItem['fetch'],
  completion: Pick<InspectedItem, 'complete'> = {},
): InspectedItem {
  const names = [server, title ?? name, ...(address === (title ?? name) ? [] : [address])];
  return {
    key: JSON.stringify([kind, server, address]),
    label: names.join(' · '),
    detail: description,
    fields,
    fetch,
    ...completion,
  };
}

function contentBlock(content: ResourceContent, index: number): Block {
  if (content.kind === 'data') return dataBlock(content.mimeType ?? 'application/octet-stream', content.data);
  const facts = [content.uri, ...(content.mimeType === undefined ? [] : [content.mimeType])];
  return textBlock(content.text, `content ${index}`, oneLine(facts.join(' · ')));
}

function messageBlock({ role, part }: PromptMessage, index: number): Block {
  switch (part.kind) {
    case 'text':
      return codeBlock(part.text, role);
    case 'data':
      return dataBlock(part.mimeType, part.data);
    case 'resource':
      return contentBlock(part.resource, index);
    case 'link':
      return { kind: 'text', text: `${role}: ${oneLine(part.name)} · ${oneLine(part.uri)}` };
  }
}
