// Loaded with the first server.
import * as vscode from 'vscode';
import { Throttle } from '../../../base/async.ts';
import { systemClock } from '../../../base/clock.ts';
import { DisposableStore, type Disposable } from '../../../base/disposable.ts';
import type { Host } from '../../../host/host.ts';
import { canSignIn, isWanted } from '../../../host/views/serverView.ts';
import { openQuestions, waitingForUser, type WaitingForUser } from '../../../host/views/waitingForUser.ts';
import { activePresetText } from '../../presets/presetText.ts';
import { makeStatusItem } from '../../statusItem.ts';
import { bannersOf } from '../tree/banners.ts';
import { countConnected, serversTexts } from './connectedText.ts';
import { waitingTexts } from './waitingTexts.ts';

/** Servers come up by hundreds, and each of them changes several times. */
const UPDATE_EVERY_MS = 50;

/**
 * The status-bar item: how many servers are connected, failed, or need the user, with the worst of it as its colour; hidden
 * while there are none. A click opens a menu. With it the badge at the view's icon: how much waits for the user. A notification is gone after seconds; these stay.
 */
export class StatusBar implements Disposable {
  readonly #disposables = new DisposableStore();
  #item: vscode.StatusBarItem | undefined;
  #questions = 0;
  readonly #host: Host;
  readonly #view: Pick<vscode.TreeView<unknown>, 'badge'>;

  constructor(host: Host, view: Pick<vscode.TreeView<unknown>, 'badge'>) {
    this.#host = host;
    this.#view = view;
    const update = this.#disposables.add(new Throttle(UPDATE_EVERY_MS, systemClock, () => this.#update()));
    this.#disposables.add(host.onDidChange(() => update.trigger()));
    this.#disposables.add(host.calls.inProgress.onDidChange(() => this.#updateQuestions()));
    this.#update();
  }

  #update(): void {
    // Asked for once: it joins every definition with its connection.
    const { views: all, feed, servers } = this.#host;
    const now = { views: all, feed, servers };
    const views = all.filter(({ state }) => state.kind !== 'shadowed');
    const wanted = views.filter(isWanted);
    const waiting = waitingForUser(now);
    const texts = waitingTexts(waiting);
    this.#updateBadge(waiting, texts);
    if (views.length === 0) return this.#item?.hide();
    const countOf = (...kinds: string[]): number => wanted.filter(({ state }) => kinds.includes(state.kind)).length;
    const { connected, expected } = countConnected(now);
    const { hosting, approvals, signIns, changes } = waiting;
    const broken =
      countOf('failed', 'problem') +
      wanted.filter((view) => view.state.kind === 'needs-auth' && !canSignIn(view)).length;
    const questions = openQuestions(this.#host);
    const { t } = vscode.l10n;
    const asked = questions === 1 ? t('1 question waits for you') : t('{0} questions wait for you', questions);
    const banners = bannersOf(now);
    const [first, ...heldBack] = serversTexts(now, banners);
    const parts = [
      first,
      activePresetText(this.#host),
      broken > 0 && t('{0} failed', broken),
      questions > 0 && asked,
      ...heldBack,
      ...[texts.signIns, texts.changes],
    ].filter((part) => part !== false && part !== undefined);
    const busy = countOf('connecting', 'installing', 'pending') > 0;
    const icon = [
      questions > 0 && 'comment',
      broken > 0 && 'error',
      changes > 0 && 'warning',
      approvals > 0 && 'shield',
      hosting > 0 && 'arrow-swap',
      signIns > 0 && 'key',
      busy && 'sync~spin',
      banners.has('untrusted') && 'workspace-untrusted',
    ].find((each) => each !== false);
    const item = (this.#item ??= this.#makeItem());
    const waits = [hosting > 0 && t('choose host'), approvals > 0 && t('{0} to approve', approvals)];
    const count = expected > 0 ? ` ${connected}/${expected}` : '';
    item.text = [`$(${icon ?? 'plug'}) MCP${count}`, ...waits].filter((part) => part !== false).join(' · ');
    item.tooltip = [...parts, t('Click for a menu')].join('\n');
    item.accessibilityInformation = { label: ['MCP Switchboard', ...parts].join(', ') };
    const color =
      broken > 0 ? 'error' : questions + hosting + approvals + signIns + changes > 0 ? 'warning' : undefined;
    item.backgroundColor = color && new vscode.ThemeColor(`statusBarItem.${color}Background`);
    item.show();
  }

  /** Most calls begin and end without a question. */
  #updateQuestions(): void {
    const questions = openQuestions(this.#host);
    if (questions === this.#questions) return;
    this.#questions = questions;
    this.#update();
  }

  #updateBadge(waiting: WaitingForUser, texts: ReturnType<typeof waitingTexts>): void {
    const value = Math.min(waiting.hosting, 1) + waiting.approvals + waiting.signIns + waiting.changes;
    const tooltip = Object.values(texts)
      .filter((text) => text !== undefined)
      .join(', ');
    const { badge } = this.#view;
    if (value === (badge?.value ?? 0) && (value === 0 || badge?.tooltip === tooltip)) return;
    this.#view.badge = value === 0 ? undefined : { value, tooltip };
  }

  #makeItem(): vscode.StatusBarItem {
    const name = vscode.l10n.t('MCP Servers');
    return this.#disposables.add(
      makeStatusItem('mcpSwitchboard.status', 50, { name, command: 'mcpSwitchboard.showMenu' }),
    );
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}
