import * as vscode from 'vscode';
import { isRecord } from '../../../base/json/json.ts';
import { oneLine } from '../../../base/text/showInvisible.ts';
import type { ResultPart } from '../../../calls/results/resultParts.ts';
import type { Block, Row } from '../pageContent.ts';
import { columnsOf } from '../tableParts.ts';

/** What is shown of one text, in UTF-16 units, and of a table. */
const MAX_TEXT = 400_000;
const MAX_ROWS = 1_000;
const MAX_COLUMNS = 12;
const MAX_CELL = 1_000;

const SHOWN_MEDIA = /^(?:image\/(?:png|jpeg|gif|webp)|audio\/[\w.+-]+)$/;

/** The parts of a result, each as what it is: a text as it stands, JSON as a table where it is rows, else as a tree, images and sounds. */
export function resultBlocks(parts: readonly ResultPart[], id: string): readonly Block[] {
  return parts.flatMap((part, index): readonly Block[] => {
    if (part.kind === 'data') return [dataBlock(part.mimeType, part.data)];
    return [textBlock(part.text, `${id} ${index}`)];
  });
}

/** Bytes of a result or a resource. */
export function dataBlock(mimeType: string, data: Uint8Array): Block {
  const title = `${oneLine(mimeType)}, ${data.byteLength} B`;
  if (SHOWN_MEDIA.test(mimeType)) return { kind: 'media', title, mimeType, data: Buffer.from(data).toString('base64') };
  return { kind: 'text', text: title };
}

/** A text of a server: JSON or not. Nothing in it becomes markup or a link. */
export function textBlock(text: string, id: string, title = vscode.l10n.t('Result')): Block {
  const value = text.length <= MAX_TEXT && /^\s*[[{]/.test(text) ? parsed(text) : undefined;
  if (value === undefined) return codeBlock(text, title);
  const rows = rowsIn(value);
  return rows ? tableOf(rows, id, title) : { kind: 'json', title, text };
}

/** A text of a server as it stands, up to what a page shows of one. */
export function codeBlock(text: string, title: string): Block {
  return { kind: 'code', title, text: cut(text) };
}

function cut(text: string): string {
  const more = text.length - MAX_TEXT;
  return more <= 0 ? text : `${text.slice(0, MAX_TEXT)}\n${vscode.l10n.t('({0} more characters)', more)}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Flat = Readonly<Record<string, string | number | boolean | null>>;

/** The rows of a list of flat objects, or of an object that has nothing but such a list. */
function rowsIn(value: unknown): readonly Flat[] | undefined {
  const members = isRecord(value) ? Object.values(value) : [];
  const list = Array.isArray(value) ? value : members.length === 1 ? members[0] : undefined;
  if (!Array.isArray(list) || list.length === 0 || list.length > MAX_ROWS) return undefined;
  const isFlat = (each: unknown): each is Flat =>
    isRecord(each) && Object.values(each).every((cell) => typeof cell !== 'object' || cell === null);
  if (!list.every(isFlat)) return undefined;
  const count = columnNames(list).length;
  return count > 0 && count <= MAX_COLUMNS ? list : undefined;
}

function columnNames(rows: readonly Flat[]): readonly string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))];
}

function tableOf(rows: readonly Flat[], id: string, title: string): Block {
  const names = columnNames(rows);
  const isNumber = (name: string): boolean => rows.every((row) => row[name] == null || typeof row[name] === 'number');
  const cell = (row: Flat, name: string): string | number | null => {
    const value = Object.hasOwn(row, name) ? row[name] : null;
    if (value === null || value === undefined) return null;
    return typeof value === 'number' ? value : oneLine(String(value).slice(0, MAX_CELL));
  };
  const columns = columnsOf(names.map(oneLine), []);
  return {
    kind: 'table',
    id,
    title,
    columns: columns.map((column, at) => (isNumber(names[at]!) ? { ...column, kind: 'number' } : column)),
    rows: rows.map((row, at): Row => ({
      key: String(at),
      cells: names.map((name) => cell(row, name)),
      actions: [],
      children: [],
    })),
    empty: '',
    drawings: [],
  };
}
