import type { SkillFile } from './skillEntry.ts';

/** So much of names is told a model at once, in characters. */
const MAX_CHARS = 8_000;

/**
 * The files of a skill by name, in quotation marks with what would end them escaped: they are the server's own words, and stand in
 * sentences of ours. As many as there is room for, and how many more there are. Pure.
 */
export function fileNames(files: readonly SkillFile[], lineOf: (name: string, file: SkillFile) => string): string {
  const named: string[] = [];
  let room = MAX_CHARS;
  for (const file of files) {
    const line = lineOf(JSON.stringify(file.path), file);
    room -= line.length;
    if (room < 0) break;
    named.push(line);
  }
  const more = files.length - named.length;
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}
