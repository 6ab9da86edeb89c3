import { isRecord, type JsonObject } from '../../base/json/json.ts';
import { jsonWeight } from '../../base/json/jsonWeight.ts';
import { pathBelow, rootOf } from './skillPaths.ts';

/** What a server declares among its `capabilities.extensions` (SEP-2640: *Capability Negotiation*). */
export const SKILLS_EXTENSION = 'io.modelcontextprotocol/skills';

/** What every host has to take of one skill, and what ours takes at most (SEP-2640: *Limits*). */
export const SKILL_LIMITS = { files: 512, bytes: 16 * 1024 * 1024 } as const;
/** An entry of the most files, each with the longest of usual addresses. See `jsonWeight`. */
export const MAX_SKILL_WEIGHT = 256 * 1024;
/** In characters (Agent Skills: *Frontmatter*). */
const MAX_NAME = 64;
const MAX_DESCRIPTION = 1_024;
const MAX_FRONTMATTER_WEIGHT = 32 * 1024;

const NAME = /^[\da-z]+(?:-[\da-z]+)*$/;
const DIGEST = /^sha256:[\da-f]{64}$/;

/** A file of a skill, as its server states it. */
export interface SkillFile {
  /** Below the skill's folder, with `/`, decoded; safe as a path of its own. */
  readonly path: string;
  readonly uri: string;
  /** `sha256:` and 64 lower-case hexadecimal digits, of the file's bytes. */
  readonly digest: string;
  /** In bytes. */
  readonly size: number;
}

/** A skill as its server lists it (SEP-2640: *Skill Entries*). */
export interface McpSkill {
  /** Of its `SKILL.md`; with the server it identifies the skill. */
  readonly uri: string;
  /** A label, which several skills may have. */
  readonly name: string;
  readonly description: string;
  /** All that the author wrote there. */
  readonly frontmatter: JsonObject;
  /** All of its files; `dynamic`: they are made as they are read, so nothing can be held against anything. */
  readonly files: readonly SkillFile[] | 'dynamic';
}

/** Whether a server has skills, by its capabilities. */
export function hasSkills({ extensions }: JsonObject): boolean {
  return isRecord(extensions) && isRecord(extensions[SKILLS_EXTENSION]);
}

/** An entry of `skills/list` or `skills/get`; or what is wrong with it, a clause. Pure. */
export function readSkill(entry: unknown): McpSkill | { readonly problem: string } {
  const bad = (problem: string): { readonly problem: string } => ({ problem });
  if (!isRecord(entry)) return bad('it is no object');
  const { uri, frontmatter, resources } = entry;
  if (jsonWeight(entry, MAX_SKILL_WEIGHT) > MAX_SKILL_WEIGHT) return bad('it is too large');
  const root = typeof uri === 'string' ? rootOf(uri) : undefined;
  if (typeof uri !== 'string' || root === undefined) return bad('its address doesn’t end in a folder and /SKILL.md');
  if (!isRecord(frontmatter) || jsonWeight(frontmatter, MAX_FRONTMATTER_WEIGHT) > MAX_FRONTMATTER_WEIGHT)
    return bad('its frontmatter is missing or too large');
  const { name, description } = frontmatter;
  if (typeof name !== 'string' || name.length > MAX_NAME || !NAME.test(name))
    return bad('its name isn’t 1 to 64 lower-case letters, digits and single hyphens');
  if (root.name !== name) return bad('its name isn’t that of its folder');
  if (typeof description !== 'string' || description.trim() === '' || charactersOf(description) > MAX_DESCRIPTION)
    return bad('its description isn’t 1 to 1,024 characters');
  const files = resources === 'dynamic' ? resources : readFiles(uri, root.uri, resources);
  if (typeof files === 'object' && 'problem' in files) return files;
  return { uri, name, description, frontmatter: frontmatter as JsonObject, files };
}

/** Unicode's characters, of which an emoji may have several. */
function charactersOf(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

function readFiles(uri: string, root: string, resources: unknown): readonly SkillFile[] | { readonly problem: string } {
  if (!Array.isArray(resources)) return { problem: 'it doesn’t say what files it has' };
  if (resources.length > SKILL_LIMITS.files) return { problem: `it has more than ${SKILL_LIMITS.files} files` };
  const files = new Map<string, SkillFile>();
  let bytes = 0;
  for (const each of resources as readonly unknown[]) {
    const { uri: address, digest, size } = isRecord(each) ? each : {};
    if (typeof address !== 'string') return { problem: 'one of its files has no address' };
    const path = pathBelow(root, address);
    if (path === undefined) return { problem: 'one of its files is outside its folder' };
    if (files.has(path)) return { problem: 'one of its files is listed twice' };
    if (typeof digest !== 'string' || !DIGEST.test(digest))
      return { problem: 'one of its files has no SHA-256 digest' };
    if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0)
      return { problem: 'one of its files has no size' };
    bytes += size;
    files.set(path, { path, uri: address, digest, size });
  }
  if (bytes > SKILL_LIMITS.bytes) return { problem: `it has more than ${SKILL_LIMITS.bytes / 1024 / 1024} MiB` };
  if (files.get('SKILL.md')?.uri !== uri) return { problem: 'its SKILL.md isn’t among its files' };
  return [...files.values()];
}
