import { sha256, stableStringify, type JsonObject } from '../../base/json.ts';
import type { CustomTool } from '../../config/rules/customTools.ts';
import type { ToolOverride } from '../../config/rules/toolOverrides.ts';
import type { ServerEntry } from '../../config/configTypes.ts';
import { shown } from './shownText.ts';

/** What an entry says of its server's tools, a line each: a person approves it with the rest of the entry. */
export function toolLines({
  toolOverrides,
  customTools = [],
}: Pick<ServerEntry, 'toolOverrides' | 'customTools'>): string[] {
  const overrides = [...(toolOverrides ?? [])].map(([tool, override]) => `Tool ${tool}: ${changesOf(override)}`);
  return [...overrides, ...customTools.map(customLine)];
}

function changesOf({ name, description, hidden, fixedArguments, readOnly, destructive }: ToolOverride): string {
  const changes = [
    ...(hidden === undefined ? [] : [hidden ? 'hidden' : 'not hidden']),
    ...(name === undefined ? [] : [`called ${name}`]),
    ...(description === undefined ? [] : [`described as ${JSON.stringify(description)}`]),
    ...(fixedArguments === undefined ? [] : [`always with ${argumentsText(fixedArguments)}`]),
    ...(readOnly === undefined ? [] : [readOnly ? 'counts as one that only reads' : 'counts as one that writes']),
    ...(destructive === undefined ? [] : [destructive ? 'counts as destructive' : 'counts as not destructive']),
  ];
  return changes.length > 0 ? changes.join('; ') : 'as it is';
}

function customLine({ name, tool, description, inputSchema, arguments: template }: CustomTool): string {
  // The whole schema would hide the rest; that it changed shows by its hash.
  const schema = sha256(stableStringify(inputSchema)).slice(0, 8);
  return `Tool of the entry’s own, ${name}: calls ${tool} with ${argumentsText(template)}; described as ${JSON.stringify(description)}; schema ${schema}`;
}

function argumentsText(args: JsonObject): string {
  const texts = Object.entries(args).map(([name, value]) => {
    const text = typeof value === 'string' ? value : stableStringify(value);
    return `${name}=${shown(name, text)}`;
  });
  return texts.length > 0 ? texts.join(', ') : 'no arguments';
}
