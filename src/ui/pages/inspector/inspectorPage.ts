// Loaded with the first Open Inspector.
import * as vscode from 'vscode';
import { systemClock } from '../../../base/clock.ts';
import { DisposableStore, type Disposable } from '../../../base/disposable.ts';
import { Emitter } from '../../../base/event.ts';
import { oneLine } from '../../../base/text/showInvisible.ts';
import { drawnIcon } from '../../../bridge/drawnIcon.ts';
import type { SignInView } from '../../../connection/auth/signIns.ts';
import type { Host } from '../../../host/host.ts';
import type { ServerView } from '../../../host/views/serverView.ts';
import type { Block, PageContent } from '../pageContent.ts';
import type { PageRequest } from '../pageMessages.ts';
import { pageWords } from '../pageWords.ts';
import type { PageSource } from '../webPage.ts';
import { ConformanceTab } from './conformanceTab.ts';
import { promptsOptions, resourcesOptions } from './inspectedItems.ts';
import { InspectorEvents } from './events/inspectorEvents.ts';
import { eventWords } from './events/inspectorWords.ts';
import { skillsOptions } from './inspectedSkills.ts';
import { ItemsTab } from './itemsTab.ts';
import { overviewContent, type ServerAct } from './overviewContent.ts';
import { timelineContent } from './timelineContent.ts';
import { signInContent } from './signInTab.ts';
import { TasksTab } from './tasksTab.ts';
import { ToolsTab } from './toolsTab.ts';

const TABS = [
  'server',
  'tools',
  'messages',
  'log',
  'timeline',
  'resources',
  'prompts',
  'skills',
  'tasks',
  'signIn',
  'conformance',
] as const;
type Tab = (typeof TABS)[number];

/** They show what a connected server has. */
const OF_CONNECTED: ReadonlySet<Tab> = new Set(['tools', 'resources', 'prompts', 'skills', 'conformance']);

/** What is to be looked at first. */
export interface InspectorTarget {
  /** Id of a server; absent: all of them. */
  readonly serverId?: string;
  /** Callable name. */
  readonly tool?: string;
}

const pages = new WeakMap<Host, InspectorPage>();

/** The inspector of this window: what it shows stays while its page is closed. */
export function inspectorOf(host: Host): InspectorPage {
  const page = pages.get(host) ?? new InspectorPage(host);
  pages.set(host, page);
  return page;
}

/** *Inspector*: what servers are, say and answer; one page, of one server or of all. */
export class InspectorPage implements PageSource {
  readonly viewType = 'mcpSwitchboard.inspector';
  readonly title = vscode.l10n.t('Inspector');
  readonly #host: Host;
  readonly #changed = new Emitter<void>();
  readonly events: InspectorEvents;
  readonly #tools: ToolsTab;
  readonly #resources: ItemsTab;
  readonly #prompts: ItemsTab;
  readonly #skills: ItemsTab;
  readonly #tasks: TasksTab;
  readonly #conformance: ConformanceTab;
  /** Id; empty: all. */
  #server = '';
  #tab: Tab = 'server';

  constructor(host: Host) {
    this.#host = host;
    const changed = (): void => this.#changed.fire();
    this.events = new InspectorEvents(host);
    this.#tools = new ToolsTab(host, changed);
    this.#resources = new ItemsTab(host, resourcesOptions(), changed);
    this.#prompts = new ItemsTab(host, promptsOptions(), changed);
    this.#skills = new ItemsTab(host, skillsOptions(), changed);
    this.#tasks = new TasksTab(host, changed);
    this.#conformance = new ConformanceTab(host, changed);
  }

  /** Looks at this, in a page that may be open already. Called before it is opened. */
  async look({ serverId = '', tool }: InspectorTarget): Promise<void> {
    await this.events.open();
    this.#server = serverId;
    this.#forgetLists();
    if (tool !== undefined) {
      this.#tools.open(tool);
      this.#tab = 'tools';
    } else if (serverId !== '') {
      this.#tab = 'server';
    }
    this.#changed.fire();
  }

  async content(): Promise<PageContent> {
    const { t } = vscode.l10n;
    const { views } = this.#host;
    const one = views.find(({ definition }) => definition.id === this.#server);
    const servers = views.map(({ definition }) => ({ value: definition.id, label: oneLine(definition.name) }));
    const labels: Readonly<Record<Tab, string>> = {
      server: t('Server'),
      tools: t('Tools'),
      messages: t('Messages'),
      log: t('Log'),
      timeline: t('Timeline'),
      resources: t('Resources'),
      prompts: t('Prompts'),
      skills: t('Skills'),
      tasks: t('Tasks'),
      signIn: t('Sign-in'),
      conformance: t('Conformance'),
    };
    return {
      title: t('Inspector'),
      language: vscode.env.language,
      words: pageWords(),
      blocks: [
        {
          kind: 'choice',
          id: 'server',
          label: t('Server'),
          value: one ? this.#server : '',
          options: [{ value: '', label: t('All servers') }, ...servers],
        },
        {
          kind: 'tabs',
          id: 'tab',
          label: t('Inspector'),
          value: this.#tab,
          options: TABS.map((value) => ({ value, label: labels[value] })),
          blocks: await this.#panel(one ? [one] : views, one),
        },
      ],
    };
  }

  async #panel(views: readonly ServerView[], one: ServerView | undefined): Promise<readonly Block[]> {
    const { t } = vscode.l10n;
    if (one && OF_CONNECTED.has(this.#tab) && this.#hasNothing(one))
      return overviewContent(views, systemClock.now(), undefined);
    switch (this.#tab) {
      case 'server': {
        const icons = one?.state.kind === 'connected' ? one.state.info.icons : undefined;
        const icon = one && icons ? await drawnIcon(this.#host, one.definition.id, icons) : undefined;
        return overviewContent(views, systemClock.now(), icon);
      }
      case 'tools': {
        const { catalog } = this.#host;
        return this.#tools.content(one ? catalog.toolsOf(one.definition.id) : catalog.tools);
      }
      case 'messages':
        return [this.#list('messages', t('Messages'), one)];
      case 'log':
        return [this.#list('log', t('Log'), one)];
      case 'timeline': {
        const { servers } = this.#host;
        const spans = await this.events.timeline();
        const nameOf = (id: string): string => servers.get(id)?.name ?? id;
        return timelineContent(spans.of(one?.definition.id), nameOf, this.events.mask, vscode.env.language);
      }
      case 'resources':
        return this.#resources.content(one?.definition.name ?? '');
      case 'prompts':
        return this.#prompts.content(one?.definition.name ?? '');
      case 'skills':
        return this.#skills.content(one?.definition.name ?? '');
      case 'tasks':
        return this.#tasks.content(one?.definition.id ?? '', systemClock.now(), vscode.env.language);
      case 'signIn': {
        const { servers, signIns } = this.#host;
        const { mask } = this.events;
        const events = await this.events.signInSteps();
        const nameOf = (id: string): string => servers.get(id)?.name ?? id;
        const viewOf = (id: string): SignInView | undefined => signIns.view(id);
        const ids = views.map(({ definition }) => definition.id);
        return signInContent(ids, { events, nameOf, viewOf, mask, language: vscode.env.language });
      }
      case 'conformance':
        return this.#conformance.content(views);
    }
  }

  /** Tools are known, and start their server, while it is off. */
  #hasNothing({ state, definition: { id } }: ServerView): boolean {
    if (state.kind === 'connected') return false;
    return this.#tab !== 'tools' || this.#host.catalog.toolsOf(id).length === 0;
  }

  #list(show: 'messages' | 'log', title: string, one: ServerView | undefined): Block {
    return { kind: 'events', id: show, title, show, server: one?.definition.name ?? '', words: eventWords() };
  }

  watch(changed: () => void): Disposable {
    const disposables = new DisposableStore();
    disposables.add(this.#changed.event(changed));
    disposables.add(this.#host.onDidChange(changed));
    disposables.add(this.#host.pool.onDidChangeState(() => this.#forgetLists()));
    disposables.add(this.#host.calls.history.onDidAdd(changed));
    const { inProgress } = this.#host.calls;
    disposables.add(inProgress.onDidChange(() => this.#tab === 'tasks' && changed()));
    disposables.add(this.#host.signIns.onDidChange(() => this.#tab === 'signIn' && changed()));
    // Of what is recorded, only this is drawn as a whole.
    disposables.add(
      this.events.onDidRecord(({ what }) => {
        if (this.#tab === 'timeline' || (this.#tab === 'signIn' && what.kind === 'signIn')) changed();
      }),
    );
    return disposables;
  }

  async take(message: PageRequest): Promise<void> {
    if (message.type === 'copy') return this.events.copy(message.seq, message.as);
    if (message.type === 'choose' && message.id === 'server') {
      this.#server = message.value;
      this.#forgetLists();
    }
    if (message.type === 'choose' && message.id === 'tab')
      this.#tab = TABS.find((tab) => tab === message.value) ?? 'server';
    if (message.type === 'act') await this.#act(message.action);
    switch (this.#tab) {
      case 'tools':
        return this.#tools.take(message);
      case 'resources':
        return this.#resources.take(message);
      case 'prompts':
        return this.#prompts.take(message);
      case 'skills':
        return this.#skills.take(message);
      case 'tasks':
        return this.#tasks.take(message);
      case 'conformance':
        return this.#conformance.take(message);
      default:
    }
  }

  #forgetLists(): void {
    this.#resources.forget();
    this.#prompts.forget();
    this.#skills.forget();
  }

  /** What is offered beside a server's state, in whichever tab. */
  async #act(action: string): Promise<void> {
    const [act = '', ...id] = action.split(' ');
    const commands: Readonly<Record<ServerAct, string>> = {
      connect: 'mcpSwitchboard.connect',
      restart: 'mcpSwitchboard.restart',
      log: 'mcpSwitchboard.showLog',
      definition: 'mcpSwitchboard.openDefinition',
    };
    if (Object.hasOwn(commands, act)) await vscode.commands.executeCommand(commands[act as ServerAct], id.join(' '));
  }
}
