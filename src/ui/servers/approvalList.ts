import * as vscode from 'vscode';
import { firstLines, LINE_LENGTH, wrapped } from '../../bridge/dialogLines.ts';
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

/** So many rows of a server are shown at first, and this part of them of one line: what is behind a long one is seen, too. */
const FIRST_ROWS = 200;
const PART_OF_ROWS = 10;

type Row = vscode.QuickPickItem & {
  /** What choosing it does: ends the question, ticks the server of this id or takes its tick away, or shows more of it. */
  readonly does?: 'cancel' | 'approve' | { readonly tick: string } | { readonly more: string };
};

/** A server with the rows that its lines make. */
interface ListedServer extends Omit<WaitingServer, 'lines'> {
  readonly rows: readonly string[];
  /** How many characters aren’t shown. */
  readonly left: number;
}

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
  let listed = servers.map((server) => listedServer(server, FIRST_ROWS));
  const rowsShown = new Map<string, number>();
  const show = (activeOf: (rows: readonly Row[]) => Row | undefined): void => {
    const rows = approvalRows(listed, ticked, notes);
    pick.items = rows;
    const active = activeOf(rows);
    pick.activeItems = active ? [active] : [];
  };
  /** Ten times as much each time: all of it, in the end. */
  const showMore = (id: string): void => {
    const most = (rowsShown.get(id) ?? FIRST_ROWS) * 10;
    rowsShown.set(id, most);
    const server = servers.find((each) => each.id === id);
    listed = listed.map((each) => (server && each.id === id ? listedServer(server, most) : each));
  };
  show(([first]) => first);
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
              const before = pick.items.length;
              if ('more' in does) showMore(does.more);
              else if (!ticked.delete(does.tick)) ticked.add(does.tick);
              // The answer to approve comes and goes above it. What more there is begins where the row was, or before it.
              show((rows) => rows[at + ('more' in does ? 0 : rows.length - before)]);
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

/** @param most rows of it that are shown */
export function listedServer({ lines, ...server }: WaitingServer, most: number): ListedServer {
  const rows: string[] = [];
  let left = 0;
  for (const text of lines) {
    const first = firstLines([text], Math.min(Math.ceil(most / PART_OF_ROWS), most - rows.length));
    rows.push(...first.lines);
    left += first.left;
  }
  return { ...server, rows, left };
}

/**
 * The rows of the list: the answers, the names of all servers, then the lines of each. No text of a server can be taken for a row
 * of ours.
 */
export function approvalRows(
  servers: readonly ListedServer[],
  ticked: ReadonlySet<string>,
  notes: readonly string[],
): readonly Row[] {
  const { t } = vscode.l10n;
  const separator = (label: string): Row => ({ label, kind: vscode.QuickPickItemKind.Separator });
  const answer = (label: string, description: string, does: 'cancel' | 'approve'): Row => ({
    label,
    description,
    does,
    alwaysShow: true,
  });
  const count = t('{0} of {1}', ticked.size, servers.length);
  const isOne = servers.length === 1;
  return [
    answer(`$(close) ${t('Cancel')}`, t('Nothing starts'), 'cancel'),
    ...(ticked.size > 0 ? [answer(`$(check) ${t('Approve and Start')}`, count, 'approve')] : []),
    separator(t('Select a server to leave it out')),
    ...servers.map(({ id, name, from }): Row => {
      const [icon, state] = ticked.has(id)
        ? ['$(pass-filled)', t('Selected')]
        : ['$(circle-large-outline)', t('Not selected')];
      return {
        label: `${icon} ${plainText(name)}`,
        description: `${state} · ${plainText(from)}`,
        does: { tick: id },
        alwaysShow: true,
      };
    }),
    ...servers.flatMap(({ id, name, rows, left }): Row[] => [
      ...(isOne ? [] : [separator(plainText(name))]),
      ...rows.map((label) => ({ label, does: { tick: id }, alwaysShow: true })),
      ...(left > 0
        ? [
            {
              label: `$(unfold) ${t('Full text')}`,
              description: t('({0} more characters)', left),
              does: { more: id },
              alwaysShow: true,
            },
          ]
        : []),
    ]),
    ...notes.flatMap((note, place) => [
      ...(place === 0 ? [separator('')] : []),
      ...wrapped(note, LINE_LENGTH).map((piece) => ({ label: plainText(piece), alwaysShow: true })),
    ]),
  ];
}
