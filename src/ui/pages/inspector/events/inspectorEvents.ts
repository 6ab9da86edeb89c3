import { dropOldest } from '../../../../base/data/dropOldest.ts';
import * as vscode from 'vscode';
import type { Disposable } from '../../../../base/disposable.ts';
import { jsonTextSteps } from '../../../../base/json/jsonPieces.ts';
import { atOnce, inSlices, mapSteps } from '../../../../base/timeSlices.ts';
import { notify } from '../../../../bridge/dialogs/showNotification.ts';
import { EventMask } from '../../../../connection/recording/eventMask.ts';
import { EVERYTHING } from '../../../../connection/recording/eventRing.ts';
import type { RecordedEvent } from '../../../../connection/recording/recordedEvent.ts';
import type { Recorder } from '../../../../connection/recording/recorder.ts';
import type { Host } from '../../../../host/host.ts';
import type { EventSource } from '../../eventFeed.ts';
import type { EventRow } from '../../eventRow.ts';
import { TimelineSpans } from './timelineSpans.ts';
import { curlOf, eventRow, type EventRowParts } from './eventRows.ts';

/** So many decisions are remembered, and so much of each, in UTF-16 units. */
const MOST_DECISIONS = 5_000;
const MAX_DECISION = 300;
/** So many of the last steps of sign-ins are known. */
const MOST_STEPS = 2_000;
/** So many of the last events are read for the timeline. */
export const MOST_READ = 5_000;

/** What the recorder tells, as rows without secrets. */
export class InspectorEvents implements EventSource {
  readonly #host: Host;
  readonly #mask: EventMask;
  /** What was decided about the last calls, by their ids. */
  readonly #decisions = new Map<string, string>();
  readonly #timeline = new TimelineSpans((text) => this.#mask.text(text));
  #steps: RecordedEvent[] = [];
  #lookedAt = Number.NEGATIVE_INFINITY;
  #recorder: Recorder | undefined;

  constructor(host: Host) {
    this.#host = host;
    this.#mask = new EventMask((text) => host.mask(this.#recorder?.mask(host.pool.mask(text)) ?? text));
  }

  /** Has to be done before anything is read. */
  async open(): Promise<void> {
    this.#recorder ??= await this.#host.recorder();
  }

  /** The spans until now. Each message is read once, and others run meanwhile. */
  async timeline(): Promise<TimelineSpans> {
    const recorder = this.#recorder;
    const part = { after: this.#timeline.lastSeq, most: MOST_READ };
    await recorder?.reading(part, (events) => {
      // What happened in between isn't known.
      if (events.length === MOST_READ) this.#timeline.clear();
      return inSlices(this.#timeline.addSteps(events));
    });
    this.#timeline.dropBefore(recorder?.oldest ?? Infinity);
    return this.#timeline;
  }

  /** Takes secrets out of a text of an event. */
  readonly mask = (text: string): string => this.#mask.text(text);

  async recent(): Promise<readonly EventRow[]> {
    const rows = await this.#recorder?.reading(EVERYTHING, async (events) => {
      // What a later one says is a secret isn't shown in an earlier one.
      await inSlices(mapSteps(events, (event) => this.#mask.learn(event), 1));
      return inSlices(mapSteps(events, this.#rows(), 1));
    });
    return rows ?? [];
  }

  /** The last steps of sign-ins, oldest first. Each event is looked at once, and others run meanwhile. */
  async signInSteps(): Promise<readonly RecordedEvent[]> {
    const recorder = this.#recorder;
    const part = { after: this.#lookedAt, most: Infinity };
    await recorder?.reading(part, (events) => inSlices(mapSteps(events, (event) => this.#look(event))));
    const oldest = recorder?.oldest ?? Infinity;
    return (this.#steps = this.#steps.filter(({ seq }) => seq >= oldest).slice(-MOST_STEPS));
  }

  #look(event: RecordedEvent): void {
    const { seq, what } = event;
    if (seq <= this.#lookedAt) return;
    this.#lookedAt = seq;
    // Not the event itself, which is read anew each time.
    if (what.kind === 'signIn') this.#steps.push({ ...event, what });
  }

  onDidHappen(listener: (event: EventRow) => void): Disposable {
    const row = this.#rows();
    return this.onDidRecord((event) => listener(row(event)));
  }

  onDidRecord(listener: (event: RecordedEvent) => void): Disposable {
    return this.#recorder?.onEvent(listener) ?? { dispose: () => undefined };
  }

  /** A message goes to the clipboard. */
  async copy(seq: number, as: 'json' | 'curl'): Promise<void> {
    const { t } = vscode.l10n;
    const event = this.#recorder?.recent().find((each) => each.seq === seq);
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

  /** Makes rows of events in their order. */
  #rows(): (event: RecordedEvent) => EventRow {
    const parts = this.#parts();
    return (event) => {
      const row = eventRow(event, parts);
      if (event.what.kind === 'decision') this.#decided(event.what.callId, row.text);
      return row;
    };
  }

  #decided(callId: string, text: string): void {
    this.#decisions.delete(callId);
    this.#decisions.set(callId, text.slice(0, MAX_DECISION));
    dropOldest(this.#decisions, MOST_DECISIONS);
  }

  #parts(): EventRowParts {
    const { servers } = this.#host;
    const { t } = vscode.l10n;
    return {
      decisionOf: (callId) => this.#decisions.get(callId) ?? '',
      words: {
        era: (era) => t('Era: {0}', era),
        call: (callId) => t('For {0}', callId),
        attempt: (number, after) =>
          after === '' ? t('Attempt {0}', number) : t('Attempt {0}, after {1}', number, after),
      },
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
