import * as vscode from 'vscode';
import { oneLine } from '../../../base/text/showInvisible.ts';
import type { RecordedEvent } from '../../../connection/recording/recordedEvent.ts';
import type { SignInView } from '../../../connection/auth/signIns.ts';
import type { Block, Row } from '../pageContent.ts';
import { columnsOf } from '../tableParts.ts';

/** So many of the last steps are listed. */
const MOST_STEPS = 500;
const MAX_CELL = 500;

/** What the tab is made of. */
export interface SignInParts {
  /** As they were recorded, oldest first. */
  readonly events: readonly RecordedEvent[];
  readonly nameOf: (serverId: string) => string;
  /** What is known of a server’s sign-in; `undefined`: it has none. */
  readonly viewOf: (serverId: string) => SignInView | undefined;
  /** Takes secrets out. */
  readonly mask: (text: string) => string;
  readonly language: string;
}

type Step = Extract<RecordedEvent['what'], { readonly kind: 'signIn' }>;

/**
 * *Sign-in*: the accounts that servers are called with, and each request of a sign-in or a renewal: what it was for, its address, its
 * status and its time. Parameters, headers and bodies were never recorded.
 */
export function signInContent(serverIds: readonly string[], parts: SignInParts): readonly Block[] {
  const { t } = vscode.l10n;
  const remote = serverIds.flatMap((id) => {
    const view = parts.viewOf(id);
    return view ? [{ id, view }] : [];
  });
  if (remote.length === 0) return [{ kind: 'text', text: t('Only remote servers have a sign-in.') }];
  const ids = new Set(remote.map(({ id }) => id));
  return [
    {
      kind: 'table',
      id: 'accounts',
      title: t('Accounts'),
      empty: '',
      columns: columnsOf([t('Server'), t('Account'), t('Signed in at')], []),
      rows: remote.map(({ id, view }) => accountRow(id, view, parts)),
      drawings: [],
    },
    {
      kind: 'table',
      id: 'steps',
      title: t('Steps'),
      empty: t('Nothing yet.'),
      columns: columnsOf(
        [t('Step'), t('Server'), t('Request'), t('Answer'), t('Time')],
        [t('From the start, ms'), t('Duration, ms')],
      ),
      rows: stepRows(ids, parts),
      drawings: [],
    },
  ];
}

function accountRow(id: string, { account, off, inProgress }: SignInView, { nameOf }: SignInParts): Row {
  const { t } = vscode.l10n;
  const none =
    off === 'headers'
      ? t('The definition sets a header instead')
      : off === 'entry'
        ? t('Switched off in the definition')
        : inProgress
          ? t('Waiting for you')
          : t('(none)');
  const cells = [nameOf(id), account?.label ?? none, account?.issuer ?? ''].map(shown);
  return { key: id, cells, actions: [], children: [] };
}

/** From the start: of the sign-in that a step belongs to; a renewal is its own. */
function stepRows(ids: ReadonlySet<string>, { events, nameOf, mask, language }: SignInParts): readonly Row[] {
  const began = new Map<string, number>();
  const rows: Row[] = [];
  for (const { server, at, seq, what } of events) {
    if (what.kind !== 'signIn' || !ids.has(server)) continue;
    const { request, answer } = partsOf(what);
    const startedAt = at - (what.ms ?? 0);
    if (what.step === 'sign-in' && what.detail === 'begun') began.set(server, at);
    const start = began.get(server) ?? startedAt;
    if (what.step === 'sign-in' && what.detail !== 'begun') began.delete(server);
    rows.push({
      key: String(seq),
      cells: [
        ...[what.step, nameOf(server), request, answer].map((text) => shown(mask(text))),
        new Date(at).toLocaleTimeString(language),
        Math.round(startedAt - start),
        what.ms === undefined ? null : Math.round(what.ms),
      ],
      actions: [],
      children: [],
    });
  }
  return rows.slice(-MOST_STEPS).reverse();
}

/** `GET https://…: HTTP 200`, as it is recorded, in its two parts. */
function partsOf({ step, detail }: Step): { readonly request: string; readonly answer: string } {
  const at = detail.lastIndexOf(': ');
  if (step === 'sign-in' || at < 0) return { request: '', answer: detail };
  return { request: detail.slice(0, at), answer: detail.slice(at + 2) };
}

function shown(text: string): string {
  return oneLine(text.slice(0, MAX_CELL));
}
