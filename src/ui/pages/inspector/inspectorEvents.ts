import * as vscode from 'vscode';
import type { Disposable } from '../../../base/disposable.ts';
import { notify } from '../../../bridge/showNotification.ts';
import type { RecordedEvent } from '../../../connection/recording/recordedEvent.ts';
import type { Recorder } from '../../../connection/recording/recorder.ts';
import type { Host } from '../../../host/host.ts';
import type { EventSource } from '../eventFeed.ts';
import type { EventRow } from '../eventRow.ts';
import { curlOf, eventRow, type EventRowParts } from './eventRows.ts';

/** What the recorder tells, as rows without secrets. */
export class InspectorEvents implements EventSource {
  readonly #host: Host;
  #recorder: Recorder | undefined;

  constructor(host: Host) {
    this.#host = host;
  }

  /** Has to be done before anything is read. */
  async open(): Promise<void> {
    this.#recorder ??= await this.#host.recorder();
  }

  /** The last events as they were recorded, oldest first. */
  get recorded(): readonly RecordedEvent[] {
    return this.#recorder?.recent() ?? [];
  }

  recent(): Iterable<EventRow> {
    const parts = this.#parts();
    return this.recorded.map((event) => eventRow(event, parts));
  }

  onDidHappen(listener: (event: EventRow) => void): Disposable {
    const parts = this.#parts();
    return this.onDidRecord((event) => listener(eventRow(event, parts)));
  }

  onDidRecord(listener: (event: RecordedEvent) => void): Disposable {
    return this.#recorder?.onEvent(listener) ?? { dispose: () => undefined };
  }

  /** A message goes to the clipboard. */
  async copy(seq: number, as: 'json' | 'curl'): Promise<void> {
    const { t } = vscode.l10n;
    const event = this.recorded.find((each) => each.seq === seq);
    if (!event || event.what.kind !== 'message') {
      void notify('warning', t('This message is no longer recorded.'));
      return;
    }
    const transport = this.#host.servers.get(event.server)?.entry.transport;
    const isHttp = transport !== undefined && 'url' in transport;
    const message = this.#host.pool.mask(JSON.stringify(event.what.message, undefined, as === 'json' ? 2 : undefined));
    const headers = isHttp && 'headers' in transport ? Object.keys(transport.headers ?? {}) : [];
    await vscode.env.clipboard.writeText(as === 'curl' && isHttp ? curlOf(message, transport.url, headers) : message);
    void vscode.window.setStatusBarMessage(t('Copied.'), 5_000);
  }

  #parts(): EventRowParts {
    const { servers, pool } = this.#host;
    return {
      nameOf: (id) => servers.get(id)?.name ?? id,
      isRemote: (id) => {
        const transport = servers.get(id)?.entry.transport;
        return transport !== undefined && 'url' in transport;
      },
      mask: (text) => pool.mask(text),
    };
  }
}
