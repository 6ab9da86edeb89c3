import { accessSync, constants, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { replaceFile } from '../../../base/files/replaceFile.ts';

/** How an agent outside the editor starts what connects it to a window. */
export interface OutsideCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The process that this extension runs in. */
export interface EditorProcess {
  readonly execPath: string;
  /** Whether that is the desktop editor itself, which is Node when it is told to be. */
  readonly isElectron: boolean;
  readonly platform: NodeJS.Platform;
  readonly searchPath: string;
}

/** The process that this runs in. */
export function thisEditor(): EditorProcess {
  return {
    execPath: process.execPath,
    isElectron: process.versions['electron'] !== undefined,
    platform: process.platform,
    searchPath: process.env['PATH'] ?? '',
  };
}

/**
 * The command with its Node: the desktop editor's own; on a server the `node` on PATH, since the server's own moves with each
 * update, and else that.
 */
export function outsideCommand(editor: EditorProcess, args: readonly string[]): OutsideCommand {
  const { execPath, isElectron } = editor;
  if (isElectron) return { command: execPath, args, env: { ELECTRON_RUN_AS_NODE: '1' } };
  return { command: nodeOnPath(editor) ?? execPath, args, env: {} };
}

function nodeOnPath({ searchPath, platform }: EditorProcess): string | undefined {
  const paths = platform === 'win32' ? path.win32 : path.posix;
  const name = platform === 'win32' ? 'node.exe' : 'node';
  const folders = searchPath.split(paths.delimiter).filter((folder) => paths.isAbsolute(folder));
  return folders.map((folder) => paths.join(folder, name)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Copies the shipped script to where it stays when the extension is updated. */
export async function installScript(shipped: string, file: string): Promise<void> {
  const text = await readFile(shipped);
  const before = await readFile(file).catch(() => undefined);
  if (before?.equals(text)) return;
  await replaceFile(file, text);
}
