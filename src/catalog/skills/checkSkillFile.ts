import { createHash } from 'node:crypto';
import { isRecord, type JsonObject } from '../../base/json/json.ts';
import { SwitchboardError } from '../../base/errors.ts';
import type { McpSkill, SkillFile } from './skillEntry.ts';
import { pathBelow, rootOf } from './skillPaths.ts';

/** What is longer isn't taken apart, in characters. */
const MAX_FRONTMATTER = 64 * 1024;

/** A file of a skill that is what the skill's entry says. */
export interface CheckedFile {
  readonly bytes: Uint8Array;
  readonly mimeType?: string;
  /** Of the skill's own `SKILL.md`: what stands below its frontmatter. */
  readonly body?: string;
}

/**
 * Holds what `resources/read` gave of a skill's file against the skill's entry: its size and digest, and of its `SKILL.md` the
 * frontmatter field by field (SEP-2640: *Integrity and Verification*).
 * @throws SkillMismatch where it isn't the same
 */
export async function checkSkillFile(skill: McpSkill, file: SkillFile, result: JsonObject): Promise<CheckedFile> {
  const listed: readonly unknown[] = Array.isArray(result['contents']) ? result['contents'] : [];
  // What else the answer holds, nobody gets.
  const content = listed.filter(isRecord).find(({ uri }) => isAddressOf(skill, file, uri));
  if (!content) throw new SkillMismatch(skill, file, 'the server answered with something else');
  const bytes = bytesOf(content);
  if (bytes.byteLength !== file.size)
    throw new SkillMismatch(skill, file, `it has ${bytes.byteLength} bytes and not ${file.size}`);
  const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  if (digest !== file.digest) throw new SkillMismatch(skill, file, 'its digest is another one');
  const { mimeType } = content;
  const checked = { bytes, ...(typeof mimeType === 'string' ? { mimeType } : {}) };
  if (file.uri !== skill.uri) return checked;
  const { yaml, body } = splitFrontmatter(textOf(bytes)) ?? {};
  if (yaml === undefined || body === undefined)
    throw new SkillMismatch(skill, file, 'it doesn’t begin with frontmatter');
  const { readFrontmatter } = await import('./readFrontmatter.ts');
  const fields = readFrontmatter(yaml);
  if (!isRecord(fields)) throw new SkillMismatch(skill, file, 'its frontmatter can’t be read');
  const names = new Set([...Object.keys(fields), ...Object.keys(skill.frontmatter)]);
  const other = [...names].find((name) => !isSameField(fields, skill.frontmatter, name));
  if (other !== undefined) throw new SkillMismatch(skill, file, 'its frontmatter isn’t what the server listed');
  return { ...checked, body };
}

/** A file that isn't what its skill's entry says: never to be used. */
export class SkillMismatch extends SwitchboardError {
  constructor({ name }: McpSkill, { path }: SkillFile, why: string) {
    super('call-failed', `The file ${path} of the skill ${name} was refused: ${why}.`, {
      remedy:
        'It may have been changed on its way, or since the server listed it. Continue without this skill, and tell the user to ask who runs the server.',
    });
  }
}

/** The text of UTF-8, or an empty one. */
export function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return '';
  }
}

/** Servers write the same address in several ways. */
function isAddressOf(skill: McpSkill, file: SkillFile, uri: unknown): boolean {
  if (uri === file.uri) return true;
  const root = rootOf(skill.uri);
  return root !== undefined && typeof uri === 'string' && pathBelow(root.uri, uri) === file.path;
}

function bytesOf({ text, blob }: Readonly<Record<string, unknown>>): Uint8Array {
  if (typeof text === 'string') return Buffer.from(text, 'utf8');
  return Buffer.from(typeof blob === 'string' ? blob : '', 'base64');
}

function splitFrontmatter(text: string): { readonly yaml: string; readonly body: string } | undefined {
  if (!/^---\r?\n/.test(text)) return undefined;
  const start = text.indexOf('\n') + 1;
  const end = /^---[ \t]*(?:\r?\n|$)/m.exec(text.slice(start, start + MAX_FRONTMATTER));
  if (!end) return undefined;
  return { yaml: text.slice(start, start + end.index), body: text.slice(start + end.index + end[0].length) };
}

/** The entry came as JSON, and is finite: what YAML's anchors make of a text is only looked at as far as that. */
function isSameField(
  one: Readonly<Record<string, unknown>>,
  other: Readonly<Record<string, unknown>>,
  name: string,
): boolean {
  if (!Object.hasOwn(one, name) || !Object.hasOwn(other, name)) return false;
  return isSame(one[name], other[name]);
}

function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => isSame(item, other[index]));
  if (isRecord(one) && isRecord(other)) {
    const names = Object.keys(one);
    return names.length === Object.keys(other).length && names.every((name) => isSameField(one, other, name));
  }
  return typeof one !== 'object' ? one === other : one === null && other === null;
}
