import * as vscode from 'vscode';
import { firstLines, paragraph, wrapped } from '../../bridge/dialogs/dialogLines.ts';
import { ownInputs } from '../../bridge/dialogs/ownInputs.ts';
import { showReadOnlyText } from '../../bridge/readOnlyText.ts';
import { plainText } from '../../bridge/text/safeText.ts';

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
/**
 * What a row holds in a window that is 900 pixels wide, in ordinary letters: such a list is up to 600 pixels wide. Beside a name
 * the letters are smaller.
 */
const ROW_LENGTH = 76;
const BESIDE_LENGTH = 80;
/** In a window that is 700 pixels high. */
const ROWS_IN_SIGHT = 12;
/** Lines stand below the name, not below its tick. */
const BELOW_NAME = '\u00a0'.repeat(5);

type Row = vscode.QuickPickItem & {
  /** What choosing it does: ends the question, ticks the server of this id or takes its tick away, or shows more of it. */
  readonly does?: 'cancel' | 'approve' | { readonly tick: string } | { readonly more: string };
};

/** A server with the rows that its lines make. */
interface ListedServer extends Omit<WaitingServer, 'lines'> {
  /** Its first line, where a row has room for it beside the name; else empty. */
  readonly first: string;
  readonly rows: readonly string[];
  /** How many characters aren’t shown. */
  readonly left: number;
}

/**
 * Asks which servers may run, in a list with a tick for each and all that it runs beside and below it. *Cancel* is chosen first,
 * so Enter alone starts nothing. VS Code 1.139 shows a list in two fifths of a window's height,
 * whatever there is: so a row holds as much as it can, and the servers with many rows come last, where none of them can push
 * another one out of sight.
 * @param notes what holds for all of them
 * @returns the ids of those with a tick; `undefined` if the list was closed or cancelled
 */
export async function askWhichRun(
  servers: readonly WaitingServer[],
  notes: readonly string[],
): Promise<readonly string[] | undefined> {
  const { t } = vscode.l10n;
  const pick = vscode.window.createQuickPick<Row>();
  const title = servers.length === 1 ? t('Run 1 MCP Server') : t('Run {0} MCP Servers', servers.length);
  const [from, ...otherFiles] = new Set(servers.map((server) => plainText(server.from)));
  pick.title = from === undefined || otherFiles.length > 0 ? title : `${title} · ${from}`;
  const whole = { iconPath: new vscode.ThemeIcon('go-to-file'), tooltip: t('Show All of It in an Editor') };
  pick.buttons = [whole];
  pick.ignoreFocusOut = true;
  pick.keepScrollPosition = true;
  const ticked = new Set(servers.map(({ id }) => id));
  let listed = servers
    .map((server) => listedServer(server, FIRST_ROWS, otherFiles.length > 0))
    .toSorted((one, other) => one.rows.length - other.rows.length);
  const rowsShown = new Map<string, number>();
  const show = (activeOf: (rows: readonly Row[]) => Row | undefined): void => {
    const rows = approvalRows(listed, ticked, notes);
    pick.items = rows;
    pick.placeholder =
      rows.length > ROWS_IN_SIGHT
        ? t('Servers run with your permissions. Scroll to see all.')
        : t('Servers run with your permissions, like terminal commands.');
    const active = activeOf(rows);
    pick.activeItems = active ? [active] : [];
  };
  /** Ten times as much each time: all of it, in the end. */
  const showMore = (id: string): void => {
    const most = (rowsShown.get(id) ?? FIRST_ROWS) * 10;
    rowsShown.set(id, most);
    const server = servers.find((each) => each.id === id);
    listed = listed.map((each) =>
      server && each.id === id ? listedServer(server, most, otherFiles.length > 0) : each,
    );
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
          pick.onDidTriggerButton(() => void showReadOnlyText(title, wholeText(servers, notes)));
          pick.onDidHide(() => resolve(undefined));
          pick.show();
        }),
    );
  } finally {
    pick.dispose();
  }
}

/** All that the list has, for a document: it has three times the room, and can be searched and copied. */
function wholeText(servers: readonly WaitingServer[], notes: readonly string[]): string {
  const parts = servers.map(({ name, from, lines }) => [`${name} (${from})`, ...lines]);
  return [...parts, ...(notes.length > 0 ? [notes] : [])].map(paragraph).join('\n\n');
}

/**
 * @param most rows of it that are shown
 * @param namesFile whether its row says which file it is from
 */
export function listedServer({ lines, ...server }: WaitingServer, most: number, namesFile: boolean): ListedServer {
  const [first = '', ...others] = lines;
  const beside = plainText([server.name, ...(namesFile ? [server.from] : []), first].join(' '));
  const isBeside = beside.length <= BESIDE_LENGTH && wrapped(beside, BESIDE_LENGTH).length === 1;
  const rows: string[] = [];
  let left = 0;
  for (const text of isBeside ? others : lines) {
    const room = Math.min(Math.ceil(most / PART_OF_ROWS), most - rows.length);
    const shown = firstLines([text], room, ROW_LENGTH);
    rows.push(...shown.lines);
    left += shown.left;
  }
  return { ...server, first: isBeside ? first : '', rows, left };
}

/**
 * The rows of the list: the answers, then each server with its lines, under the names of their files where there are several. No
 * text of a server can be taken for a row of ours.
 */
export function approvalRows(
  servers: readonly ListedServer[],
  ticked: ReadonlySet<string>,
  notes: readonly string[],
): readonly Row[] {
  const { t } = vscode.l10n;
  const answer = (label: string, description: string, does: 'cancel' | 'approve'): Row => ({
    label,
    description,
    does,
    alwaysShow: true,
  });
  const count = t('{0} of {1}', ticked.size, servers.length);
  const isOfSeveralFiles = new Set(servers.map(({ from }) => from)).size > 1;
  const hint = servers.length === 1 ? [] : [t('Select a server to leave it out')];
  return [
    answer(`$(close) ${t('Cancel')}`, t('Nothing starts'), 'cancel'),
    ...(ticked.size > 0 ? [answer(`$(check) ${t('Approve and Start')}`, [count, ...hint].join(' · '), 'approve')] : []),
    ...servers.flatMap((server, place) => [
      separator(!isOfSeveralFiles || server.from === servers[place - 1]?.from ? '' : plainText(server.from)),
      ...rowsOf(server, ticked.has(server.id)),
    ]),
    ...notes.flatMap((note, place) => [
      ...(place === 0 ? [separator('')] : []),
      ...wrapped(note, ROW_LENGTH).map((piece) => ({ label: plainText(piece), alwaysShow: true })),
    ]),
  ];
}

const separator = (label: string): Row => ({ label, kind: vscode.QuickPickItemKind.Separator });

/** A server with its tick, and what it runs. */
function rowsOf({ id, name, first, rows, left }: ListedServer, isTicked: boolean): readonly Row[] {
  const { t } = vscode.l10n;
  const does = { tick: id };
  return [
    {
      label: `${isTicked ? '$(pass-filled)' : '$(circle-large-outline)'} ${plainText(name)}`,
      description: [...(isTicked ? [] : [t('Not selected')]), ...(first === '' ? [] : [plainText(first)])].join(' · '),
      does,
      alwaysShow: true,
    },
    ...rows.map((line) => ({ label: BELOW_NAME + line, does, alwaysShow: true })),
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
  ];
}
