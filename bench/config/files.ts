import path from 'node:path';
import type { ConfigSource } from '../../src/config/configTypes.ts';

/** So many files with so many servers each. */
export interface Shape {
  readonly files: number;
  readonly serversPerFile: number;
}

export const FEW_FILES: Shape = { files: 20, serversPerFile: 25 };
export const MANY_FILES: Shape = { files: 500, serversPerFile: 1 };

/** Half of the files belong to folders, half to the person; some names stand in several. */
export function sourcesIn(folder: string, { files }: Shape): ConfigSource[] {
  return Array.from({ length: files }, (_, index): ConfigSource => {
    const place = path.join(folder, `folder-${index}`);
    const isProject = index % 2 === 0;
    const file = path.join(place, isProject ? '.mcp.json' : 'mcp.json');
    return {
      id: `${isProject ? 'project' : 'user'}:${file}`,
      scope: isProject ? 'project' : 'user',
      format: 'mcp',
      label: file,
      file,
      ...(isProject ? { folder: { name: `folder-${index}`, path: place } } : {}),
    };
  });
}

/** A file's text; the server at `changed` is another one than before. */
export function textOf({ serversPerFile }: Shape, file: number, changed = -1): string {
  const entries = Array.from({ length: serversPerFile }, (_, place) => {
    // The same servers, whatever the number of files.
    const index = serversPerFile === 1 ? file % 25 : place;
    const name = index % 5 === 0 ? `shared-${index}` : `server-${file}-${index}`;
    const version = index === changed ? '2' : '1';
    const entry =
      index % 3 === 0
        ? { type: 'http', url: `https://h${file}.example.com/${index}/mcp?v=${version}`, headers: { A: '${TOKEN:-x}' } }
        : { command: 'npx', args: ['-y', `@example/server-${file}-${index}@${version}`], env: { KEY: '${KEY:-k}' } };
    return `    // ${name}\n    ${JSON.stringify(name)}: ${JSON.stringify(entry, undefined, 2)},`;
  });
  return `{\n  "mcpServers": {\n${entries.join('\n')}\n  }\n}\n`;
}
