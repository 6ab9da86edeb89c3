import * as vscode from 'vscode';
import { LINE_LENGTH, wrapped } from '../../bridge/dialogLines.ts';
import { ownInputs } from '../../bridge/ownInputs.ts';
import { plainText } from '../../bridge/safeText.ts';

/** A server that waits for approval, with everything that the user has to know of it: a line each. */
export interface WaitingServer {
  readonly id: string;
  readonly name: string;
  /** Where it is defined. */
  readonly from: string;
  readonly lines: readonly string[];
}

type Row = vscode.QuickPickItem & {
  /** What choosing it does: ends the question, or ticks the server of this id or takes its tick away. */
  readonly does?: 'cancel' | 'approve' | { readonly tick: string };
};

/**
 * Asks which servers may run, in a list with a tick for each and all that it runs below it. *Cancel* is chosen first, so Enter
 * alone starts nothing.
 * @param notes what holds for all of them
 * @returns the ids of those with a tick; `undefined` if the list was closed or cancelled
 */
export async function askWhichRun(
  servers: readonly WaitingServer[],
  notes: readonly string[],
): Promise<readonly string[] | undefined> {
  const { t } = vscode.l10n;
  const pick = vscode.window.createQuickPick<Row>();
  pick.title = servers.length === 1 ? t('Run 1 MCP Server') : t('Run {0} MCP Servers', servers.length);
  pick.placeholder = t('Servers run with your permissions, like terminal commands.');
  pick.ignoreFocusOut = true;
  pick.keepScrollPosition = true;
  const ticked = new Set(servers.map(({ id }) => id));
  const show = (isActive: (row: Row) => boolean): void => {
    pick.items = approvalRows(servers, ticked, notes);
    pick.activeItems = pick.items.filter(isActive).slice(0, 1);
  };
  show(({ does }) => does === 'cancel');
  try {
    return await ownInputs.ask(
      () =>
        new Promise<readonly string[] | undefined>((resolve) => {
          pick.onDidAccept(() => {
            const [row] = pick.selectedItems;
            const does = row?.does;
            if (does === 'cancel') resolve(undefined);
            else if (does === 'approve') resolve([...ticked]);
            else if (row && does) {
              const at = pick.items.indexOf(row);
              if (!ticked.delete(does.tick)) ticked.add(does.tick);
              const first = approvalRows(servers, ticked, notes).length - pick.items.length;
              show((other) => pick.items.indexOf(other) === at + first);
            }
          });
          pick.onDidHide(() => resolve(undefined));
          pick.show();
        }),
    );
  } finally {
    pick.dispose();
  }
}

/** The rows of the list: the answers, then each server with its lines. No text of a server can be taken for a row of ours. */
export function approvalRows(
  servers: readonly WaitingServer[],
  ticked: ReadonlySet<string>,
  notes: readonly string[],
): readonly Row[] {
  const { t } = vscode.l10n;
  const separator = (label: string): Row => ({ label, kind: vscode.QuickPickItemKind.Separator });
  const line = (text: string, more: Partial<Row> = {}): Row[] =>
    wrapped(text, LINE_LENGTH).map((piece) => ({ label: plainText(piece), alwaysShow: true, ...more }));
  const count = t('{0} of {1}', ticked.size, servers.length);
  return [
    { label: `$(close) ${t('Cancel')}`, description: t('Nothing starts'), does: 'cancel', alwaysShow: true },
    ...(ticked.size > 0
      ? [
          {
            label: `$(check) ${t('Approve and Start')}`,
            description: count,
            does: 'approve' as const,
            alwaysShow: true,
          },
        ]
      : []),
    ...servers.flatMap(({ id, name, from, lines }, place): Row[] => {
      const does = { tick: id };
      const [icon, state] = ticked.has(id)
        ? ['$(pass-filled)', t('Selected')]
        : ['$(circle-large-outline)', t('Not selected')];
      return [
        separator(place === 0 ? t('Select a server to leave it out') : ''),
        {
          label: `${icon} ${plainText(name)}`,
          description: `${state} · ${plainText(from)}`,
          does,
          alwaysShow: true,
        },
        ...lines.flatMap((text) => line(text, { does })),
      ];
    }),
    ...notes.flatMap((note, place) => [...(place === 0 ? [separator('')] : []), ...line(note)]),
  ];
}
