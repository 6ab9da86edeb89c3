// Loaded when the view *Activity* is first shown.
import * as vscode from 'vscode';
import { Batch } from '../../base/async.ts';
import { systemClock } from '../../base/clock.ts';
import { DisposableStore } from '../../base/disposable.ts';
import type { Host } from '../../host/host.ts';
import type { EditorCallSettings } from '../../platform/settings/editorCallSettings.ts';
import type { TreeProvider } from '../lazyTree.ts';
import { ActivityItems } from './activityItems.ts';
import {
  readActivity,
  type Activity,
  type ActivityGroup,
  type ActivityNode,
  type KnownNodes,
} from './activityNodes.ts';

/** An agent can make many calls a second: they are drawn together, and those that end within this time as what they came to. */
const REDRAW_MS = 100;

/**
 * The view *Activity*: what waits for the user, what runs, the plan, and what was called. Drawn anew are only rows that
 * changed; nothing is looked at while the view is hidden.
 */
export class ActivityTree implements TreeProvider<ActivityNode> {
  readonly #host: Host;
  readonly #settings: EditorCallSettings;
  readonly #view: Pick<vscode.TreeView<unknown>, 'visible' | 'onDidChangeVisibility'>;
  readonly #items: ActivityItems;
  readonly #disposables = new DisposableStore();
  readonly #changed = new vscode.EventEmitter<ActivityNode[] | undefined>();
  readonly #known: KnownNodes = { things: new WeakMap(), asking: new WeakMap() };
  readonly #groups = new Map<ActivityGroup, ActivityNode>();
  #shown: Activity = new Map();
  /** What the rows of calls that haven't ended, and the group of the plan, were made of. */
  #parts = new Map<ActivityNode, string>();
  readonly onDidChangeTreeData: vscode.Event<ActivityNode[] | undefined> = this.#changed.event;

  constructor(
    host: Host,
    settings: EditorCallSettings,
    view: Pick<vscode.TreeView<unknown>, 'visible' | 'onDidChangeVisibility'>,
  ) {
    this.#host = host;
    this.#settings = settings;
    this.#view = view;
    this.#items = new ActivityItems(host);
    this.#disposables.add(this.#changed);
    const redraw = this.#disposables.add(new Batch(REDRAW_MS, systemClock, () => this.#redraw()));
    const { inProgress, plan, failedCalls, history } = host.calls;
    const events = [inProgress.onDidChange, plan.onDidChange, failedCalls.onDidChange, host.onDidChange];
    for (const event of events) this.#disposables.add(event(() => redraw.trigger()));
    this.#disposables.add(history.onDidAdd(() => redraw.trigger()));
    this.#disposables.add(settings.onDidChange(() => redraw.trigger()));
    this.#disposables.add(view.onDidChangeVisibility(() => redraw.trigger()));
  }

  getChildren(node?: ActivityNode): ActivityNode[] {
    if (!node) {
      this.#shown = this.#read();
      this.#parts = this.#partsOf(this.#shown);
      return [...this.#shown].map(([group, rows]) => this.#groupNode(group, rows));
    }
    return node.kind === 'group' ? [...(this.#shown.get(node.group) ?? [])] : [];
  }

  getParent(node: ActivityNode): ActivityNode | undefined {
    const group = [...this.#shown].find(([, rows]) => rows.includes(node))?.[0];
    return group && this.#groups.get(group);
  }

  getTreeItem(node: ActivityNode): vscode.TreeItem {
    return this.#items.of(node);
  }

  #read(): Activity {
    return readActivity(this.#host, this.#settings.hooksToApprove !== undefined, this.#known);
  }

  /** The same object for the same group, so that the editor keeps what is open; its count is that of its rows. */
  #groupNode(group: ActivityGroup, rows: readonly ActivityNode[]): ActivityNode {
    const count = rows.reduce((sum, row) => sum + (row.kind === 'more' ? row.count : 1), 0);
    const node = Object.assign(this.#groups.get(group) ?? {}, { kind: 'group', group, count } as const);
    this.#groups.set(group, node);
    return node;
  }

  #redraw(): void {
    if (!this.#view.visible) return;
    const before = this.#shown;
    const parts = this.#parts;
    this.#shown = this.#read();
    this.#parts = this.#partsOf(this.#shown);
    if ([...before.keys()].join() !== [...this.#shown.keys()].join()) return this.#changed.fire(undefined);
    const changed = [...this.#shown].flatMap(([group, rows]) => {
      const old = before.get(group) ?? [];
      const node = this.#groupNode(group, rows);
      const isSame = rows.length === old.length && rows.every((row, index) => row === old[index]);
      if (!isSame || parts.get(node) !== this.#parts.get(node)) return [node];
      return rows.filter((row) => parts.get(row) !== this.#parts.get(row));
    });
    if (changed.length > 0) this.#changed.fire(changed);
  }

  #partsOf(activity: Activity): Map<ActivityNode, string> {
    const rows = [...activity.values()].flat();
    const live = rows.flatMap((row) =>
      row.kind === 'live' ? [[row, `${row.trace.phase} ${row.trace.isTask} ${row.trace.said}`] as const] : [],
    );
    const plan = this.#groups.get('plan');
    return new Map([...live, ...(plan ? [[plan, String(this.#host.calls.plan.on)] as const] : [])]);
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}
