import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bundleModule } from '../../scripts/lib/bundle-module.mjs';
import { runInEditor } from '../../scripts/lib/in-editor.mjs';
import { root } from '../../scripts/lib/paths.mjs';
import { scratchWorkspace } from '../../scripts/lib/workspace.mjs';

/** Where the code that runs in the extension host writes its figures, as JSON. */
export const RESULT_VARIABLE = 'SWITCHBOARD_BENCH_RESULT';

/**
 * Runs `run()` of a module of this folder inside the extension host of a real editor with this extension, and gives what
 * it wrote to the file that SWITCHBOARD_BENCH_RESULT names.
 */
export async function measureInEditor<T>(
  module: string,
  options: {
    readonly settings?: Readonly<Record<string, unknown>>;
    readonly env?: Readonly<Record<string, string>>;
    readonly prepare?: (folder: string) => void;
    readonly extension?: string;
    /** Folders of further extensions. */
    readonly link?: readonly string[];
  } = {},
): Promise<T> {
  const testsPath = path.join(root, 'out', 'bench', `${module}.js`);
  await bundleModule(`bench/editor/${module}.ts`, testsPath, { format: 'cjs' });
  const scratch = mkdtempSync(path.join(tmpdir(), 'switchboard-bench-'));
  const result = path.join(scratch, 'result.json');
  const workspace = scratchWorkspace('bench');
  try {
    options.prepare?.(workspace.path);
    const { code, complaints } = await runInEditor({
      testsPath,
      workspace: workspace.path,
      settings: options.settings ?? {},
      ...(options.extension === undefined ? {} : { extension: options.extension }),
      ...(options.link ? { link: [...options.link] } : {}),
      env: { ...options.env, [RESULT_VARIABLE]: result },
    });
    if (code !== 0) throw new Error(`the editor's side failed:\n${complaints.join('\n')}`);
    return JSON.parse(readFileSync(result, 'utf8')) as T;
  } finally {
    workspace.remove();
    rmSync(scratch, { recursive: true, force: true });
  }
}
