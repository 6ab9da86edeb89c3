import { jsonWeight } from '../../base/json/jsonWeight.ts';
import { atOnce, inSlices } from '../../base/timeSlices.ts';
import type { ToolCallResult } from '../../connection/connectionTypes.ts';
import { fitsCertainly, limited, type StoreResult } from './largeResult.ts';
import { resultParts, type ResultPart } from './resultParts.ts';
import { haveFiles, withFiles, type StoreFile } from './storedFiles.ts';

/** A script or an app gets more than a model does: what comes of it is limited. */
const MAX_PROGRAM_TOKENS = 500_000;

/** What a larger result takes is done in slices; see `jsonWeight`. */
const MAX_AT_ONCE_WEIGHT = 64 * 1024;

export interface ShownResultsPorts {
  settings(): { readonly maxResultTokens: number };
  readonly storeResult: StoreResult;
  readonly storeFile: StoreFile;
}

type Parts = readonly ResultPart[];

/** What callers are shown of results: what they aren't shown is stored, and they are told where. Most results need no wait. */
export class ShownResults {
  readonly #ports: ShownResultsPorts;

  constructor(ports: ShownResultsPorts) {
    this.#ports = ports;
  }

  /** The parts of a server's result, before its size counts. @throws SwitchboardError as `resultParts` does */
  of(result: ToolCallResult, name: string, serverName: string): Parts | Promise<Parts> {
    const work = resultParts(result, name, serverName);
    const isLarge = jsonWeight(result, MAX_AT_ONCE_WEIGHT) > MAX_AT_ONCE_WEIGHT;
    return isLarge ? inSlices(work).then((parts) => this.withFiles(parts)) : this.withFiles(atOnce(work));
  }

  /** Stores what a model isn't shown as files, and says where they are. */
  withFiles(parts: Parts): Parts | Promise<Parts> {
    return haveFiles(parts) ? withFiles(parts, this.#ports.storeFile) : parts;
  }

  /** Limits parts to the size that a model gets, or a program; what is larger is stored as a file. */
  fitted(parts: Parts, isForProgram = false): Parts | Promise<Parts> {
    const maxTokens = isForProgram ? MAX_PROGRAM_TOKENS : this.#ports.settings().maxResultTokens;
    return fitsCertainly(parts, maxTokens) ? parts : limited(parts, maxTokens, this.#ports.storeResult);
  }
}
