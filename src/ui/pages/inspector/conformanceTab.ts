import * as vscode from 'vscode';
import { oneLine } from '../../../base/text/showInvisible.ts';
import { localized } from '../../../bridge/text/localized.ts';
import { REQUEST_TIMEOUT_MS } from '../../../bridge/resources/serverRequests.ts';
import type { Host } from '../../../host/host.ts';
import type { ServerView } from '../../../host/views/serverView.ts';
import type { Block, Row } from '../pageContent.ts';
import type { PageRequest } from '../pageMessages.ts';
import { columnsOf } from '../tableParts.ts';
import { InspectorRuns } from './inspectorRun.ts';
import { checksByAsking, checksOfWhatIsKnown, type CheckResult } from './serverChecks.ts';

/** *Conformance*: what of the protocol a server doesn’t keep to, and what its author can do about it. */
export class ConformanceTab {
  readonly #host: Host;
  readonly #runs: InspectorRuns<readonly CheckResult[]>;
  #server = '';

  constructor(host: Host, changed: () => void) {
    this.#host = host;
    this.#runs = new InspectorRuns(1, changed);
  }

  content(views: readonly ServerView[]): readonly Block[] {
    const { t } = vscode.l10n;
    const connected = views.filter(({ state }) => state.kind === 'connected');
    const view = connected.find(({ definition }) => definition.id === this.#server) ?? connected[0];
    if (!view) return [{ kind: 'text', text: t('No connected servers.') }];
    if (view.definition.id !== this.#server) {
      this.#server = view.definition.id;
      this.#runs.clear();
    }
    const options = connected.map(({ definition }) => ({ value: definition.id, label: oneLine(definition.name) }));
    const label = t('Ask the Server');
    return [
      ...(connected.length > 1
        ? [{ kind: 'choice', id: 'checked', label: t('Server'), value: this.#server, options } as const]
        : []),
      { kind: 'text', text: t('The server is asked for methods and names that don’t exist. No tool is called.') },
      ...(this.#runs.isRunning
        ? [{ kind: 'text', text: t('Running') } as const]
        : [{ kind: 'buttons', actions: [{ id: 'ask', label, accessibleLabel: label }] } as const]),
      this.#table(view),
      ...this.#failure(),
    ];
  }

  take(message: PageRequest): void {
    if (message.type === 'choose' && message.id === 'checked') {
      this.#server = message.value;
      this.#runs.clear();
    }
    if (message.type === 'act' && message.action === 'ask') void this.#runs.run((signal) => this.#ask(signal));
  }

  async #ask(signal: AbortSignal): Promise<readonly CheckResult[]> {
    const session = await this.#host.pool.ready(this.#server, REQUEST_TIMEOUT_MS, signal);
    return checksByAsking(session, session.info, signal);
  }

  #table({ state, tools, definition }: ServerView): Block {
    const { t } = vscode.l10n;
    const outcomes = { passed: t('Passed'), advice: t('Could be better'), failed: t('Not as specified') };
    const leftOut = this.#host.pool.get(definition.id)?.leftOut ?? [];
    const known = state.kind === 'connected' ? checksOfWhatIsKnown(state.info, tools, leftOut) : [];
    const outcome = this.#runs.last?.outcome;
    const asked = outcome && 'value' in outcome ? outcome.value : [];
    const rows = [...known, ...asked].map(({ what, outcome: of, advice }): Row => {
      return {
        key: what,
        cells: [localized(what), outcomes[of], advice.split('\n').map(localized).join('\n')],
        actions: [],
        children: [],
      };
    });
    return {
      kind: 'table',
      id: 'checks',
      title: t('Conformance'),
      empty: '',
      columns: columnsOf([t('Check'), t('Result'), t('What to do')], []),
      rows,
      drawings: [],
    };
  }

  #failure(): readonly Block[] {
    const outcome = this.#runs.last?.outcome;
    if (!outcome || 'value' in outcome) return [];
    return [{ kind: 'code', title: vscode.l10n.t('Error'), text: localized(outcome.error) }];
  }
}
