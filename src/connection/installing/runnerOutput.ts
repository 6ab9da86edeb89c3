import { oneLine } from '../../base/text/showInvisible.ts';
import { withoutAnsi } from '../stdio/stderrReason.ts';

/** What the output of a start says of fetching. */
export interface RunnerOutput {
  /** A container's image, or a module of Deno, is being fetched: no process tells. */
  readonly isFetching: boolean;
  readonly tool?: string;
  /** What is fetched. */
  readonly what?: string;
  /** How far it is. */
  readonly progress?: string;
}

const MAX_CHARS = 80;
/** A fetch that says nothing for so long is over, where its end isn't said. */
const SILENT_MS = 15_000;

/**
 * Reads what runners write on stderr while they fetch.
 *
 * @param written oldest first, the unfinished last
 * @param silentMs how long it has written nothing
 */
export function readRunnerOutput(written: readonly string[], silentMs: number): RunnerOutput {
  const lines = written.map(withoutAnsi);
  const last = lines.findLast((line) => line.trim() !== '')?.trim();
  const progress = last === undefined ? {} : { progress: oneLine(last.slice(0, MAX_CHARS)) };
  const image = pulledImage(lines);
  if (image) return { ...progress, ...image };
  if (last !== undefined && silentMs < SILENT_MS && /^Download(?:ing)? (?:https?:|npm:)/.test(last))
    return { isFetching: true, tool: 'deno', ...progress };
  const announced = lines
    .map((line) => /^npm warn exec The following packages? .* will be installed: (\S+)/i.exec(line)?.[1])
    .findLast((name) => name !== undefined);
  return { isFetching: false, ...(announced === undefined ? {} : { what: announced }), ...progress };
}

const PULL_BEGINS = /^(?:Unable to find image '([^']+)'|(?:\S+: )?Pulling from \S+|Trying to pull (\S+?)\.{3})/;
const PULL_ENDS =
  /^(?:Status: (?:Downloaded newer image|Image is up to date)|Writing manifest to image destination)|^docker: |^Error: /;

function pulledImage(lines: readonly string[]): RunnerOutput | undefined {
  const begun = lines.findLastIndex((line) => PULL_BEGINS.test(line));
  if (begun < 0 || lines.slice(begun).some((line) => PULL_ENDS.test(line))) return undefined;
  const names = lines.map((line) => PULL_BEGINS.exec(line)).flatMap((match) => match?.[1] ?? match?.[2] ?? []);
  const what = names.at(-1);
  const layers = new Map<string, boolean>();
  for (const line of lines) {
    const [, layer, how] = /^([0-9a-f]{6,64}): (Pulling fs layer|Already exists|Pull complete)/.exec(line) ?? [];
    if (layer !== undefined) layers.set(layer, how !== 'Pulling fs layer');
  }
  const done = [...layers.values()].filter(Boolean).length;
  return {
    isFetching: true,
    tool: lines.some((line) => line.startsWith('Trying to pull')) ? 'podman' : 'docker',
    ...(what === undefined ? {} : { what }),
    ...(layers.size > 0 ? { progress: `${done} of ${layers.size} layers` } : {}),
  };
}
