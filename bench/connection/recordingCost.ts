import type { RecordedWhat } from '../../src/connection/recording/recordedEvent.ts';
import { DEFAULT_RING, Recorder } from '../../src/connection/recording/recorder.ts';
import { median } from './report.ts';

const TIMES = 50_000;
const BLOCKS = 9;

/**
 * What the ring takes of a call, in microseconds of processor time: what was recorded of one is told, again and again, to a recorder with
 * and one without, each message a new object as in a call.
 */
export function recordingCostUs(events: readonly RecordedWhat[]): number {
  const kept = tellerOf(new Recorder(() => DEFAULT_RING), events);
  const none = tellerOf(new Recorder(() => ({ maxAgeMs: 0, maxBytes: 0 })), events);
  const added: number[] = [];
  // The first fill the ring.
  for (let block = -2; block < BLOCKS; block++) {
    const without = processorUs(none);
    const difference = processorUs(kept) - without;
    if (block >= 0) added.push(difference);
  }
  return median(added);
}

function processorUs(tell: () => void): number {
  const begun = process.cpuUsage();
  for (let index = 0; index < TIMES; index++) tell();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / TIMES;
}

/** Tells a recorder what is recorded of one call. */
function tellerOf(recorder: Recorder, events: readonly RecordedWhat[]): () => void {
  const link = recorder.openLink('echo');
  link.message('sent', { jsonrpc: '2.0', id: 0, method: 'tools/list' });
  const steps = events.map((what): (() => void) => {
    if (what.kind !== 'message') return () => recorder.note('echo', what);
    const { direction, message, call } = what;
    const text = JSON.stringify(message);
    return () => {
      const made = JSON.parse(text) as { readonly params?: { readonly arguments?: object } };
      if (call && made.params?.arguments) recorder.sending(made.params.arguments, { ...call });
      link.message(direction, made);
    };
  });
  return () => {
    for (const step of steps) step();
  };
}
