const MANIFEST = '/SKILL.md';

/** The folder of a skill, by the address of its `SKILL.md`: without a slash at its end, and what it is called. */
export function rootOf(uri: string): { readonly uri: string; readonly name: string } | undefined {
  const canonical = canonicalOf(uri);
  if (canonical?.endsWith(MANIFEST) !== true || /[?#]/.test(canonical)) return undefined;
  const root = canonical.slice(0, -MANIFEST.length);
  const name = root.slice(root.lastIndexOf('/') + 1);
  return name === '' ? undefined : { uri: root, name: decoded(name) ?? name };
}

/**
 * Where an address is below a folder, decoded; `undefined` where it isn't, or couldn't be a path that stays there: a part that
 * is empty, `.` or `..`, has a separator of any platform, a colon, or what can't be seen. Pure.
 * @param root as `rootOf` gives it
 */
export function pathBelow(root: string, uri: string): string | undefined {
  // The parser would take these steps itself, so that nobody saw them.
  if (/(?:^|[/\\])(?:\.|%2e){1,2}(?:[/\\?#]|$)/i.test(uri)) return undefined;
  const canonical = canonicalOf(uri);
  if (canonical?.startsWith(`${root}/`) !== true || /[?#]/.test(canonical)) return undefined;
  const parts = canonical
    .slice(root.length + 1)
    .split('/')
    .map(decoded);
  return parts.every(isPart) ? parts.join('/') : undefined;
}

/** The path that a reference within a skill means: from the skill's folder, as a path or as a whole address. */
export function referredPath(root: string, reference: string): string | undefined {
  if (reference.startsWith(`${root}/`)) return pathBelow(root, reference);
  const [path = ''] = reference.replace(/^(?:\.\/)+/, '').split('#');
  const parts = path.split('/');
  return parts.every(isPart) ? parts.join('/') : undefined;
}

/** The skill whose folder a file is in, the innermost, by the addresses of the skills' `SKILL.md`. */
export function skillOfFile(skills: readonly string[], uri: string): string | undefined {
  const canonical = canonicalOf(uri);
  let found: { readonly skill: string; readonly depth: number } | undefined;
  for (const skill of canonical === undefined ? [] : skills) {
    const root = rootOf(skill)?.uri;
    if (root === undefined || canonical?.startsWith(`${root}/`) !== true) continue;
    if (root.length > (found?.depth ?? 0)) found = { skill, depth: root.length };
  }
  return found?.skill;
}

/** Those of the addresses of skills whose folder is within another one's. Pure. */
export function nestedSkills(skills: readonly string[]): readonly string[] {
  const all = skills.map((uri) => ({ uri, folder: `${rootOf(uri)?.uri ?? uri}/` }));
  // What is within a folder comes right behind it.
  all.sort((one, other) => (one.folder < other.folder ? -1 : one.folder > other.folder ? 1 : 0));
  const around: string[] = [];
  return all.flatMap(({ uri, folder }) => {
    while (around.length > 0 && !folder.startsWith(around.at(-1) ?? '')) around.pop();
    if (around.at(-1) !== folder) around.push(folder);
    return around.length > 1 ? [uri] : [];
  });
}

function isPart(part: string | undefined): part is string {
  if (part === undefined || part === '' || part === '.' || part === '..') return false;
  return !/[/\\:]/.test(part) && !UNSEEN.test(part);
}

/** What can't be seen, or breaks a line. */
// eslint-disable-next-line no-control-regex -- those are what is looked for
const UNSEEN =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e01ef}]/u;

/** As the parser has it, which leaves out line breaks, tabs and blanks around it: an address with those is none. */
function canonicalOf(uri: string): string | undefined {
  if (UNSEEN.test(uri) || uri !== uri.trim()) return undefined;
  return URL.canParse(uri) ? new URL(uri).href : undefined;
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
