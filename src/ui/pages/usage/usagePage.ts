// Loaded with the first Usage.
import * as vscode from 'vscode';
import type { Disposable } from '../../../base/disposable.ts';
import type { Host } from '../../../host/host.ts';
import type { PageContent } from '../pageContent.ts';
import type { PageSource } from '../webPage.ts';
import { TOOL_CHOICE, usageContent } from './usageContent.ts';

/** *Usage*, of the calls since the window opened. */
export class UsagePage implements PageSource {
  readonly viewType = 'mcpSwitchboard.usage';
  readonly title = vscode.l10n.t('Usage');
  readonly #host: Host;
  #chosen = '';

  constructor(host: Host) {
    this.#host = host;
  }

  content(): Promise<PageContent> {
    const { entries, statistics } = this.#host.calls.history;
    return Promise.resolve(usageContent({ entries, statistics, chosen: this.#chosen, language: vscode.env.language }));
  }

  watch(changed: () => void): Disposable {
    return this.#host.calls.history.onDidAdd(changed);
  }

  take(message: Parameters<PageSource['take']>[0]): Promise<void> {
    if (message.type === 'choose' && message.id === TOOL_CHOICE) this.#chosen = message.value;
    return Promise.resolve();
  }
}
