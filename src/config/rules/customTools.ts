import { isRecord, pointerOf, type JsonObject } from '../../base/json/json.ts';
import { readable, readableWithin } from '../../base/text/modelText.ts';
import { say } from '../../base/say.ts';
import { parametersIn } from './argumentTemplate.ts';
import { isToolName, type ToolRuleProblem } from './toolOverrides.ts';

/** A tool that the user defines on top of one of the server's: a name, a description, and arguments made by a template. */
export interface CustomTool {
  readonly name: string;
  /** The server's own name of the tool that is called. */
  readonly tool: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** Arguments for the tool; `{{parameter}}` in a text stands for a parameter. */
  readonly arguments: JsonObject;
}

/** Reads the value of `customTools`, by name. What is wrong is a problem, and the tool is left out. */
export function readCustomTools(value: unknown): {
  readonly tools: readonly CustomTool[];
  readonly problems: readonly ToolRuleProblem[];
} {
  const tools: CustomTool[] = [];
  const problems: ToolRuleProblem[] = [];
  if (value === undefined) return { tools, problems };
  if (!isRecord(value)) {
    const fix = say`Write an object with a member for each tool.`;
    return {
      tools,
      problems: [{ code: 'invalid-custom-tool', pointer: '', message: say`customTools is not an object.`, fix }],
    };
  }
  for (const [name, content] of Object.entries(value)) {
    const found = checkCustomTool(name, content);
    if (found.length === 0) tools.push(toCustomTool(name, content as JsonObject));
    problems.push(...found, ...unknownFields(name, content));
  }
  return { tools, problems };
}

const FIELDS: readonly string[] = ['tool', 'description', 'inputSchema', 'arguments'] satisfies (keyof CustomTool)[];

/** What nobody reads; the tool counts without it. */
function unknownFields(name: string, content: unknown): ToolRuleProblem[] {
  const unknown = isRecord(content) ? Object.keys(content).filter((field) => !FIELDS.includes(field)) : [];
  return unknown.map((field) => ({
    code: 'invalid-custom-tool',
    pointer: pointerOf(name, field),
    message: say`A custom tool has no ${field}.`,
    fix: say`Known are ${FIELDS.join(', ')}.`,
  }));
}

function checkCustomTool(name: string, content: unknown): ToolRuleProblem[] {
  const problems: ToolRuleProblem[] = [];
  const report = (field: string, message: string, fix: string): void => {
    const pointer = field === '' ? pointerOf(name) : pointerOf(name, field);
    problems.push({ code: 'invalid-custom-tool', pointer, message, fix });
  };
  if (!isToolName(name))
    report('', say`${name} can't be a tool's name.`, say`Use at most 64 letters, digits, "_" and "-".`);
  if (!isRecord(content)) {
    report(
      '',
      say`The custom tool ${name} is not an object.`,
      say`Write an object with tool, description and arguments.`,
    );
    return problems;
  }
  for (const field of ['tool', 'description']) {
    const text = content[field];
    if (typeof text !== 'string' || text.trim() === '')
      report(field, say`The custom tool ${name} has no ${field}.`, say`Write a string.`);
  }
  const schema = content['inputSchema'] ?? {};
  if (!isRecord(schema))
    report('inputSchema', say`The inputSchema of ${name} is not an object.`, say`Give a JSON Schema.`);
  else if (schema['type'] !== undefined && schema['type'] !== 'object')
    report(
      'inputSchema',
      say`The inputSchema of ${name} is not of type "object".`,
      say`Describe an object of arguments.`,
    );
  const template = content['arguments'] ?? {};
  if (!isRecord(template)) report('arguments', say`The arguments of ${name} are not an object.`, say`Give an object.`);
  if (problems.length > 0 || !isRecord(schema)) return problems;
  const known = isRecord(schema['properties']) ? schema['properties'] : {};
  for (const parameter of parametersIn(template)) {
    if (Object.hasOwn(known, parameter)) continue;
    const message = say`The arguments of ${name} use ${`{{${parameter}}}`}, which its inputSchema doesn't have.`;
    report('arguments', message, say`Add ${parameter} to the properties of inputSchema.`);
  }
  return problems;
}

function toCustomTool(name: string, content: JsonObject): CustomTool {
  const { inputSchema: schema, arguments: template } = content;
  const text = (field: string): string => (typeof content[field] === 'string' ? content[field] : '');
  return {
    name,
    tool: text('tool'),
    description: readable(text('description')),
    inputSchema: readableWithin({ type: 'object', properties: {}, ...(isRecord(schema) ? schema : {}) }),
    arguments: isRecord(template) ? template : {},
  };
}
