import { deepEqual } from 'node:assert/strict';
import { messageOf } from '../../../../src/base/errors.ts';
import type { JsonObject } from '../../../../src/base/json/json.ts';
import type { Question, ToolCall } from '../../../../src/calls/callTypes.ts';
import { Rig, type RigOptions } from '../rig.ts';

/** The pipeline with scripts turned on: the interpreter and its process are real. */
export class ScriptRig extends Rig {
  /** How many calls each question was about. */
  readonly batches: number[] = [];

  static async on(options: RigOptions = {}): Promise<ScriptRig> {
    const rig = new ScriptRig(options);
    await (await rig.calls.scripts()).setOn(true);
    rig.answer = 'once';
    return rig;
  }

  /** What a script returned, and how many calls there were; or the error. */
  async script(source: string, caller: Partial<ToolCall> = {}): Promise<string> {
    const signal = new AbortController().signal;
    try {
      const { parts } = await this.calls.broker.runScript(source, { surface: 'test', signal, ...caller });
      return parts.map((part) => (part.kind === 'text' ? part.text : part.mimeType)).join('\n');
    } catch (error) {
      return messageOf(error);
    }
  }

  /** Names and arguments of what ran, without reads. */
  get written(): readonly (readonly [string, JsonObject])[] {
    return this.ran.filter(([name]) => name !== 'list_notes');
  }

  /** That nothing was written but this. */
  wrote(...titles: readonly string[]): void {
    deepEqual(
      this.written.map(([, { title }]) => title),
      titles,
    );
  }

  /** What each question was about, as the arguments that were shown. */
  get shown(): readonly (readonly JsonObject[])[] {
    return this.asked.map((question) => callsOf(question).map(({ shownArgs }) => shownArgs));
  }
}

/** The calls that a question is about. */
export function callsOf(question: Question): readonly Question[] {
  return question.batch ?? [question];
}
