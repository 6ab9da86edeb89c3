import type { ResultPart } from './resultParts.ts';
import type { UnshownFile } from '../../base/data/dataForModels.ts';

/** Stores bytes and gives the address of the file; `undefined`: they can't be stored here. */
export type StoreFile = (file: UnshownFile) => Promise<string | undefined>;

/** The parts with what isn't shown in files, and where. */
export async function withFiles(parts: readonly ResultPart[], store: StoreFile): Promise<readonly ResultPart[]> {
  return Promise.all(
    parts.map(async (part): Promise<ResultPart> => {
      if (part.kind === 'data' || !part.file) return part;
      const { file, ...rest } = part;
      const address = await store(file);
      return address === undefined ? rest : { ...rest, text: `${part.text}\nIt is in the file ${address}` };
    }),
  );
}

/** Whether any part waits for that; most results have none. */
export function haveFiles(parts: readonly ResultPart[]): boolean {
  return parts.some((part) => part.kind === 'text' && part.file !== undefined);
}
