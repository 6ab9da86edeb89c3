import type { Editor } from './editor.d.mts';

export const currentEditor: string;
export const floorEditor: string;
export function ensureEditor(version?: string): Promise<Editor>;
export function ensureSessionStore(editor: Editor): Promise<void>;
