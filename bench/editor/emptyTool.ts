import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export const EMPTY_TOOL = 'bench_empty';

const MANIFEST = {
  name: 'bench-empty',
  publisher: 'bench',
  version: '1.0.0',
  engines: { vscode: '^1.106.0' },
  main: './main.js',
  activationEvents: ['*'],
  contributes: {
    languageModelTools: [
      {
        name: EMPTY_TOOL,
        toolReferenceName: EMPTY_TOOL,
        canBeReferencedInPrompt: true,
        displayName: 'Empty',
        modelDescription: 'Gives nothing.',
        inputSchema: { type: 'object', properties: {} },
      },
    ],
  },
};
const MAIN = `const vscode = require('vscode');
exports.activate = () => vscode.lm.registerTool('${EMPTY_TOOL}', { invoke: () => new vscode.LanguageModelToolResult([]) });
`;

/** An extension with a tool that gives nothing. Gives its folder, which the caller removes. */
export function emptyToolExtension(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'switchboard-empty-'));
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(MANIFEST));
  writeFileSync(path.join(folder, 'main.js'), MAIN);
  return folder;
}
