import * as vscode from 'vscode';
import type { Disposable } from '../../../base/disposable.ts';
import { jsonTextSteps } from '../../../base/json/jsonPieces.ts';
import { atOnce, inSlices, mapSteps } from '../../../base/timeSlices.ts';
import { notify } from '../../../bridge/showNotification.ts';
import { EventMask } from '../../../connection/recording/eventMask.ts';
import type { RecordedEvent } from '../../../connection/recording/recordedEvent.ts';
import type { Recorder } from '../../../connection/recording/recorder.ts';
import type { Host } from '../../../host/host.ts';
import type { EventSource } from '../eventFeed.ts';
import type { EventRow } from '../eventRow.ts';
import { curlOf, eventRow, type EventRowParts } from './eventRows.ts';

/** What the recorder tells, as rows without secrets. */
export class InspectorEvents implements EventSource {
  readonly #host: Host;
  readonly #mask: EventMask;
  #recorder: Recorder | undefined;

  constructor(host: Host) {
    this.#host = host;
    this.#mask = new EventMask((text) => host.mask(this.#recorder?.mask(host.pool.mask(text)) ?? text));
  }

  /** Has to be done before anything is read. */
  async open(): Promise<void> {
    this.#recorder ??= await this.#host.recorder();
  }

  /** The last events as they were recorded, oldest first. */
  get recorded(): readonly RecordedEvent[] {
    return this.#recorder?.recent() ?? [];
  }

  /** Takes secrets out of a text of an event. */
  readonly mask = (text: string): string => this.#mask.text(text);

  async recent(): Promise<readonly EventRow[]> {
    const parts = this.#parts();
    const events = this.recorded;
    // What a later one says is a secret isn't shown in an earlier one.
    await inSlices(mapSteps(events, (event) => this.#mask.learn(event), 1));
    return inSlices(mapSteps(events, (event) => eventRow(event, parts), 1));
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
    const { what } = await inSlices(this.#mask.masked(event));
    if (what.kind !== 'message') return;
    const line = await inSlices(jsonTextSteps(what.message));
    const message = as === 'json' ? laidOut(line) : line;
    const headers = isHttp && 'headers' in transport ? Object.keys(transport.headers ?? {}) : [];
    await vscode.env.clipboard.writeText(
      as === 'curl' && isHttp ? curlOf(message, this.mask(transport.url), headers) : message,
    );
    void vscode.window.setStatusBarMessage(t('Copied.'), 5_000);
  }

  #parts(): EventRowParts {
    const { servers } = this.#host;
    return {
      nameOf: (id) => servers.get(id)?.name ?? id,
      isRemote: (id) => {
        const transport = servers.get(id)?.entry.transport;
        return transport !== undefined && 'url' in transport;
      },
      masked: (event) => atOnce(this.#mask.masked(event)),
    };
  }
}

/** JSON in lines, where no digit is lost by it. */
function laidOut(line: string): string {
  const value: unknown = JSON.parse(line);
  return JSON.stringify(value) === line ? JSON.stringify(value, undefined, 2) : line;
}
