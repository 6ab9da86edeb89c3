export interface InEditorOptions {
  /** A CommonJS module that exports `run()`. */
  readonly testsPath: string;
  readonly workspace: string;
  /** Of code-server; the current one when absent. */
  readonly version?: string;
  /** The folder of the extension under development; the repository when absent. */
  readonly extension?: string;
  /** Folders of further extensions. */
  readonly link?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly settings?: Readonly<Record<string, unknown>>;
}

export function runInEditor(
  options: InEditorOptions,
): Promise<{ readonly code: number; readonly complaints: string[]; readonly left: string[] }>;
