import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const REGIONS = ['north', 'south', 'east', 'west'] as const;
export const MONTHS: readonly string[] = Array.from(
  { length: 12 },
  (_, at) => `2026-${String(at + 1).padStart(2, '0')}`,
);
export const DOCS = ['api', 'build', 'cache', 'design', 'errors', 'faq', 'guide', 'hosting'] as const;
export const LOGS = [1, 2, 3, 4, 5, 6] as const;

/** The rows of a month's report: region and amount. */
export function rowsOf(month: string): readonly (readonly [region: string, amount: number])[] {
  const number = Number(month.slice(5));
  return Array.from({ length: 40 }, (_, row) => [REGIONS[row % 4] ?? 'north', (number * 37 + row * 11) % 100] as const);
}

/** The lines of a document, of which some are to-dos. */
export function docLines(doc: string): readonly string[] {
  return Array.from({ length: 60 }, (_, line) =>
    (line + doc.length) % 17 === 0
      ? `TODO: check line ${line} of ${doc}`
      : `Line ${line} of the document about ${doc}.`,
  );
}

/** The lines of a log, of which some are errors. */
export function logLines(log: number): readonly string[] {
  return Array.from({ length: 200 }, (_, line) =>
    (line * log) % 23 === 1
      ? `10:${String(line % 60).padStart(2, '0')} ERROR request ${line} failed`
      : `10:${String(line % 60).padStart(2, '0')} INFO request ${line} took ${(line * 7 + log) % 90} ms`,
  );
}

/** Writes what the tasks are about: twelve reports, eight documents, six logs. */
export function seed(folder: string): void {
  for (const name of ['reports', 'docs', 'logs', '.data']) mkdirSync(path.join(folder, name), { recursive: true });
  for (const month of MONTHS) {
    const lines = ['region,amount', ...rowsOf(month).map((row) => row.join(','))];
    writeFileSync(path.join(folder, 'reports', `${month}.csv`), lines.join('\n'));
  }
  for (const doc of DOCS) writeFileSync(path.join(folder, 'docs', `${doc}.md`), docLines(doc).join('\n'));
  for (const log of LOGS) writeFileSync(path.join(folder, 'logs', `app-${log}.log`), logLines(log).join('\n'));
}

/** Every file below a folder with its text, without the folder's own name. */
export function filesOf(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name !== '.mcp.json').sort(); // prettier-ignore
  const files = names.filter((name) => statSync(path.join(folder, name)).isFile());
  return Object.fromEntries(
    files.map((name) => [name, readFileSync(path.join(folder, name), 'utf8').replaceAll(folder, 'FOLDER')]),
  );
}
