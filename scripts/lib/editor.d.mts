import type { LiveProcess } from './process-tree.mjs';

export interface Editor {
  readonly version: string;
  /** The Node that this editor wants. */
  readonly node: string;
  /** The folder `lib/vscode`. */
  readonly server: string;
}

export interface EditorOptions {
  /** What `ensureEditor` gave. */
  readonly editor: Editor;
  /** Loaded as the extension under development. */
  readonly extension?: string;
  /** Extension folders that are copied into the extensions folder, and so are installed ones. */
  readonly install?: readonly string[];
  /** The same, linked instead of copied: a rebuilt bundle is there after a reload of the window. */
  readonly link?: readonly string[];
  /** The user's settings. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Whether the editor asks for trust in a workspace (default), or trusts every one. */
  readonly trust?: boolean;
  /** Added to the environment of the editor and of its extension host. */
  readonly env?: Readonly<Record<string, string>>;
  readonly port?: number;
  /** What whoever opens the editor has to know: without one, each user and page of the machine can run programs by it. Digits and letters. */
  readonly token?: string;
  /** It sees `etc` of its data folder as `/etc`, and nobody else does. Takes root on Linux. */
  readonly ownEtc?: boolean;
}

export interface RunningEditor {
  readonly port: number;
  readonly pid: number;
  /** The user's settings are `data/User/settings.json` below it. Removed by `stop`. */
  readonly dataDir: string;
  /** The address of a folder. `agent`: see `addAgentSwitchToPage`. */
  url(workspace: string, options?: { testsPath?: string; agent?: boolean }): string;
  /** Every process that the editor has started and that is alive now. */
  processes(): LiveProcess[];
  /** The last of what the server printed. */
  output(): string;
  readonly exited: Promise<unknown>;
  /** Stops the whole process tree. Gives what did not end by itself and had to be killed: empty when all is well. */
  stop(): Promise<string[]>;
}

export function startEditor(options: EditorOptions): Promise<RunningEditor>;
