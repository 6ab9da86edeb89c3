// Loaded on first use.
import { localized } from '../../bridge/text/localized.ts';
import * as vscode from 'vscode';
import { oneLine, showInvisible } from '../../base/text/showInvisible.ts';
import { showReadOnlyText } from '../../bridge/readOnlyText.ts';
import { effectOf, underlyingOf, type CatalogTool } from '../../catalog/catalogTool.ts';
import { assessTool } from '../../catalog/toolQuality.ts';
import type { Host } from '../../host/host.ts';
import { effectLabel } from '../servers/serverLabels.ts';

/** What is shown of a description or schema, in UTF-16 units. */
const MAX_PART = 100_000;

/** *Show Tool*: all that a server says of a tool, in a read-only tab. */
export async function showTool(host: Host, tool: CatalogTool): Promise<void> {
  await showReadOnlyText(`${tool.name}.txt`, detailsOf(tool, host.catalog.toolsOf(tool.serverId)));
}

/** *Copy Tool Name*: the callable name, as in rules and for the model. */
export async function copyToolName({ name }: CatalogTool): Promise<void> {
  await vscode.env.clipboard.writeText(name);
  void vscode.window.setStatusBarMessage(vscode.l10n.t('Copied {0}.', name), 5_000);
}

function detailsOf(entry: CatalogTool, siblings: readonly CatalogTool[]): string {
  const { t } = vscode.l10n;
  const { tool, serverName, name } = entry;
  const own = underlyingOf(entry).name;
  const { score, findings } = assessTool(
    tool,
    siblings.map((each) => each.tool),
  );
  const rows: readonly (readonly [string, string])[] = [
    [t('Name'), name],
    [t('Server'), serverName],
    ...(own === tool.name ? [] : [[t('Tool of the server'), own] as const]),
    ...(tool.title === undefined ? [] : [[t('Title'), tool.title] as const]),
    [t('Effect'), effectLabel(effectOf(tool.annotations))],
    [t('Quality'), String(score)],
    ...findings.map(({ points, advice }) => [`  ${points > 0 ? '+' : ''}${points}`, localized(advice)] as const),
  ];
  const sections: readonly (readonly [string, unknown])[] = [
    [t('Annotations'), tool.annotations],
    [t('Input schema'), tool.inputSchema],
    [t('Output schema'), tool.outputSchema],
    // Last, and indented: it can't be taken for what stands above.
    [t('Description'), tool.description],
  ];
  const parts = sections.flatMap(([label, value]) => {
    if (value === undefined) return [];
    const written = typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
    const text = written.replaceAll(/^/gm, '  ');
    const leftOut = text.length - MAX_PART;
    const end = leftOut > 0 ? `\n${t('({0} more characters)', leftOut)}` : '';
    return [`${label}\n${showInvisible(text.slice(0, MAX_PART))}${end}`];
  });
  return [rows.map(([label, value]) => `${label}: ${oneLine(value)}`).join('\n'), ...parts].join('\n\n');
}
