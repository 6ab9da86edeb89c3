import { escaped } from '../text/safeText.ts';

/** What links in answers may run: each shows something, asks first, or can be undone. */
export const LINKED_COMMANDS = [
  ...(['mcpSwitchboard.connect', 'mcpSwitchboard.disconnect', 'mcpSwitchboard.approve'] as const),
  ...(['mcpSwitchboard.enable', 'mcpSwitchboard.showLog', 'mcpSwitchboard.openDefinition'] as const),
  ...(['mcpSwitchboard.addServer', 'mcpSwitchboard.togglePlanMode', 'mcpSwitchboard.planRun'] as const),
  ...(['mcpSwitchboard.planRunAll', 'mcpSwitchboard.planDiscard', 'mcpSwitchboard.planDiscardAll'] as const),
  ...(['mcpSwitchboard.openResource', 'mcpSwitchboard.runPrompt'] as const),
  ...(['mcpSwitchboard.showContextBudget', 'mcpSwitchboard.signIn', 'mcpSwitchboard.selectPreset'] as const),
];

/** A cell of a table: a text, or Markdown that was made here. */
export type Cell = string | { readonly markdown: string };

/** A table in Markdown; texts are shown as they are, whatever is in them. */
export function table(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const line = (cells: readonly Cell[]): string => `| ${cells.map(cellText).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

function cellText(cell: Cell): string {
  return typeof cell === 'string' ? escaped(cell) : cell.markdown;
}

/** A link that runs a command. */
export function commandLink(
  label: string,
  command: (typeof LINKED_COMMANDS)[number],
  ...args: readonly unknown[]
): { readonly markdown: string } {
  const query = args.length === 0 ? '' : `?${encoded(JSON.stringify(args))}`;
  return { markdown: `[${escaped(label)}](command:${command}${query})` };
}

/** Several of them in one cell. */
export function links(...all: readonly { readonly markdown: string }[]): { readonly markdown: string } {
  return { markdown: all.map(({ markdown }) => markdown).join(' · ') };
}

/** What is left after `encodeURIComponent` and could end a link. */
function encoded(text: string): string {
  const percent = (character: string): string => `%${character.charCodeAt(0).toString(16)}`;
  return encodeURIComponent(text).replaceAll(/[()'!*~]/g, percent);
}
