import { rmSync } from 'node:fs';
import path from 'node:path';
import { option } from '../connection/report.ts';
import { measureInEditor } from '../editor/run.ts';
import type { TreeFigures } from '../editor/treeData.ts';

/** The view *Servers* in a real extension host, with many servers in that process that have many tools. */
export async function measureTree(): Promise<TreeFigures> {
  const [servers, tools] = [option('servers', 500), option('tools', 20)];
  return measureInEditor<TreeFigures>('treeData', {
    env: { SWITCHBOARD_BENCH_SIZES: JSON.stringify({ servers, tools }) },
    prepare: (folder) => {
      rmSync(path.join(folder, '.mcp.json'));
      rmSync(path.join(folder, '.vscode'), { recursive: true });
    },
  });
}
