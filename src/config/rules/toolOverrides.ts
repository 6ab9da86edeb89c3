import { isRecord, pointerOf, type JsonObject, type JsonValue } from '../../base/json/json.ts';
import { readable } from '../../base/text/modelText.ts';
import { say } from '../../base/say.ts';

/** What an entry's `toolOverrides` says of one tool, or of all that a glob names. */
export interface ToolOverride {
  /** In place of the tool's own name. */
  readonly name?: string;
  readonly description?: string;
  /** Neither offered nor callable. */
  readonly hidden?: boolean;
  /** Bound to these values and taken out of the schema. */
  readonly fixedArguments?: JsonObject;
  /** Corrections of the server's annotations. */
  readonly readOnly?: boolean;
  readonly destructive?: boolean;
}

/** By tool name or glob, in order; a later one adds to an earlier one. */
export type ToolOverrides = ReadonlyMap<string, ToolOverride>;

type Check = (value: unknown) => boolean;

const FIELDS: Readonly<Record<keyof ToolOverride, { readonly check: Check; readonly form: string }>> = {
  name: { check: isToolName, form: say`a name of at most 64 letters, digits, "_" and "-"` },
  description: { check: (value) => typeof value === 'string' && value.trim() !== '', form: say`a string` },
  hidden: { check: isBoolean, form: say`true or false` },
  fixedArguments: { check: isRecord, form: say`an object of arguments` },
  readOnly: { check: isBoolean, form: say`true or false` },
  destructive: { check: isBoolean, form: say`true or false` },
};

/** What may only make a tool safer: what a repository's file may say. */
const TIGHTENING: Readonly<Partial<Record<keyof ToolOverride, Check>>> = {
  hidden: (value) => value === true,
  fixedArguments: () => true,
  readOnly: (value) => value === false,
  destructive: (value) => value === true,
};

/**
 * Reads the value of `toolOverrides`. What is wrong is a problem and left out; the rest counts.
 * @param onlyTightening true for a source that may make tools safer and nothing else (a project's)
 */
export function readOverrides(
  value: unknown,
  onlyTightening: boolean,
): { readonly overrides: ToolOverrides; readonly problems: readonly ToolRuleProblem[] } {
  const overrides = new Map<string, ToolOverride>();
  const problems: ToolRuleProblem[] = [];
  const report = (code: ToolRuleProblem['code'], pointer: string, message: string, fix: string): void => {
    problems.push({ code, pointer, message, fix });
  };
  if (value === undefined) return { overrides, problems };
  if (!isRecord(value)) {
    report(
      'invalid-override',
      '',
      say`toolOverrides is not an object.`,
      say`Write an object with a member for each tool.`,
    );
    return { overrides, problems };
  }
  for (const [tool, override] of Object.entries(value)) {
    if (!isRecord(override)) {
      report(
        'invalid-override',
        pointerOf(tool),
        say`The override of ${tool} is not an object.`,
        say`Write an object.`,
      );
      continue;
    }
    const kept: Record<string, JsonValue> = {};
    for (const [field, content] of Object.entries(override)) {
      const pointer = pointerOf(tool, field);
      if (!isField(field)) {
        const known = Object.keys(FIELDS).join(', ');
        report('invalid-override', pointer, say`An override has no ${field}.`, say`Known are ${known}.`);
      } else if (!FIELDS[field].check(content)) {
        report(
          'invalid-override',
          pointer,
          say`${field} is not ${FIELDS[field].form}.`,
          say`Give ${FIELDS[field].form}.`,
        );
      } else if (onlyTightening && TIGHTENING[field]?.(content) !== true) {
        const message = say`A project may only make tools safer, and ${field} here doesn't.`;
        report('not-tightening', pointer, message, say`Put it into your own settings.`);
      } else kept[field] = field === 'description' ? readable(content as string) : (content as JsonValue);
    }
    overrides.set(tool, kept);
  }
  return { overrides, problems };
}

function isField(field: string): field is keyof ToolOverride {
  return Object.hasOwn(FIELDS, field);
}

function isBoolean(value: unknown): boolean {
  return typeof value === 'boolean';
}

/** Whether a text can be a tool's name for every provider. */
export function isToolName(value: unknown): boolean {
  return typeof value === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(value);
}

/** Something wrong in `toolOverrides`, custom tools or rules of an entry: where, what, and how to fix it. */
export interface ToolRuleProblem {
  readonly code:
    | 'invalid-override'
    | 'unknown-tool'
    | 'not-tightening'
    | 'invalid-custom-tool'
    | 'name-taken'
    | 'invalid-rule'
    | 'preset-patterns'
    | 'tool-patterns';
  /** JSON pointer inside the value at hand, e.g. `/delete_note/readOnly`. */
  readonly pointer: string;
  /** One sentence. */
  readonly message: string;
  /** One sentence: what to do. */
  readonly fix: string;
}
