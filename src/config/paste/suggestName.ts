import { programName } from '../../base/files/programName.ts';
import type { TransportSpec } from '../configTypes.ts';

const RUNNERS =
  /^(?:npx|bunx|uvx|pipx|npm|pnpm|yarn|bun|deno|uv|node|python[\d.]*|docker|podman|cmd|env|cross-env|sh|bash|go|cargo|dotnet|java|tsx|powershell|pwsh|wsl|sudo|mcp-remote|mcp-proxy|supergateway)$/;
const VERBS =
  /^(?:run|exec|x|dlx|tool|start|serve|mcp|stdio|server|main|index|dist|build|src|lib|bin|app|cli|api|www|sse|http)$/i;
/** Options whose next word is theirs. */
const WITH_VALUE =
  /^(?:--directory|--with|--python|-p|--from|--project|-v|--volume|--name|-e|--env|--network|--mount|--env-file|--platform|-C|--prefix|--index-url|--port|-u|--user|--transport|-d|--distribution|--cd)$/;

/** A short name for a server that has none: after its package, image, script or host. */
export function suggestName(spec: TransportSpec): string {
  const found = spec.type === 'stdio' ? ofCommand([spec.command, ...spec.args]) : 'url' in spec ? ofUrl(spec.url) : '';
  const plain = found
    .replaceAll(/\$\{[^}]*\}/g, '')
    .replaceAll(/^(?:mcp[-_.]?server|server|mcp)[-_.]|[-_.](?:mcp[-_.]?server|server|mcp)$/gi, '')
    .replaceAll(/[^\w.-]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '');
  return plain || 'server';
}

/** `name`, or `name-2` and so on where it is taken. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  let count = 2;
  while (taken.has(`${name}-${count}`)) count += 1;
  return `${name}-${count}`;
}

function ofCommand(words: readonly string[]): string {
  const candidates = words.filter(
    (word, index) =>
      !word.startsWith('-') &&
      !/^\/[a-z]$/i.test(word) &&
      !WITH_VALUE.test(words[index - 1] ?? '') &&
      !/^[A-Z_]+=/.test(word),
  );
  const named = candidates.find(
    (word) => !RUNNERS.test(programName(word)) && !VERBS.test(word) && (word === words[0] || !/\s/.test(word)),
  );
  return named === undefined ? programName(words[0] ?? '') : ofWord(named);
}

/** A package without scope and version, an image without registry and tag, a script without what says nothing. */
function ofWord(word: string): string {
  if (/^(?:git\+)?https?:\/\//.test(word)) return ofUrl(word);
  const scoped = /^@([\w.-]+)\/([\w.-]+)/.exec(word);
  if (scoped) return VERBS.test(scoped[2] ?? '') ? (scoped[1] ?? '') : (scoped[2] ?? '');
  const parts = word
    .replace(/(?<=[^\\/:])[:@][\w.^~-]*$/, '')
    .split(/[\\/]/)
    .filter(Boolean)
    .map((part) => part.replace(/\.(?:m?[jt]s|cjs|py|exe|cmd|bat|sh|jar|dll)$/i, ''));
  // Whose home folder it is in says nothing of a server.
  const own = parts.filter(
    (_, index) => !parts.slice(Math.max(0, index - 1), index + 1).some((part) => /^(?:users|home)$/i.test(part)),
  );
  return own.findLast((part) => !VERBS.test(part) && !/^[A-Za-z]:$/.test(part)) ?? parts.at(-1) ?? '';
}

function ofUrl(url: string): string {
  const plain = url.replaceAll(/\$\{[^}]*\}|<[^<>]*>|\{\{?[^{}]*\}?\}/g, 'x').replace(/^git\+/, '');
  if (!URL.canParse(plain)) return '';
  const { hostname, pathname } = new URL(plain);
  if (/^(?:www\.)?(?:github|gitlab)\.com$/.test(hostname))
    return (
      pathname
        .replace(/\.git(?:@.*)?$/, '')
        .split('/')
        .at(-1) ?? ''
    );
  if (/^[\d.]+$|^\[|^localhost$/.test(hostname)) return 'local';
  const labels = hostname.split('.').slice(0, -1);
  return labels.findLast((label) => !VERBS.test(label) && label.length > 2) ?? labels.at(-1) ?? hostname;
}
