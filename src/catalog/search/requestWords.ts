import { wordsOf } from './words/words.ts';

const URL = /https?:\/\/(?:www\.)?([\p{L}\p{N}.-]+)\S*/giu;
const PATH = /(?<![\p{L}\p{N}.])(?:~|\.{0,2})\/[\w.-]+(?:\/[\w.-]+)+\/?/gu;

/**
 * The words of a request. An address counts as `url` and the name of its host, a path as `file`, its folders and the
 * ending of its name: what is inside them is what the request is about, not which tool it needs.
 */
export function requestWords(text: string): string[] {
  return wordsOf(
    text
      .replaceAll(URL, (_whole, host: string) => ` url ${host.split('.').slice(0, -1).join(' ')} `)
      .replaceAll(PATH, (path) => ` file ${wordsOfPath(path)} `),
  );
}

function wordsOfPath(path: string): string {
  const parts = path.split('/').filter(Boolean);
  const last = parts.pop() ?? '';
  const dot = last.lastIndexOf('.');
  return [...parts.filter((part) => part !== 'home'), dot >= 0 ? last.slice(dot + 1) : last].join(' ');
}
