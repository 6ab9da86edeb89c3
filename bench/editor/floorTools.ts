import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bundleModule } from '../../scripts/lib/bundle-module.mjs';

/** Gives nothing: what the editor itself takes for a tool of an extension. */
export const EMPTY_TOOL = 'bench_empty';
/** Gives what a server gives, by a hand-written client: what a tool that asks a server can't do without. */
export const RAW_TOOL = 'bench_raw';

const declared = (name: string): object => ({
  name,
  toolReferenceName: name,
  canBeReferencedInPrompt: true,
  displayName: name,
  modelDescription: name,
  inputSchema: { type: 'object', properties: {} },
});
const MANIFEST = {
  name: 'bench-floor',
  publisher: 'bench',
  version: '1.0.0',
  engines: { vscode: '^1.106.0' },
  main: './main.js',
  activationEvents: ['*'],
  contributes: { languageModelTools: [EMPTY_TOOL, RAW_TOOL].map(declared) },
};

/** An extension with these tools. Gives its folder, which the caller removes. @param server that the second asks for its tool `echo` */
export async function floorToolsExtension(server: { command: string; args: readonly string[] }): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'switchboard-floor-'));
  await bundleModule('bench/connection/rawClient.ts', path.join(folder, 'rawClient.js'), { format: 'cjs' });
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(MANIFEST));
  const main = `const vscode = require('vscode');
const { RawClient } = require('./rawClient.js');
exports.activate = () => {
  vscode.lm.registerTool('${EMPTY_TOOL}', { invoke: () => new vscode.LanguageModelToolResult([]) });
  const client = new RawClient(${JSON.stringify(server.command)}, ${JSON.stringify(server.args)});
  vscode.lm.registerTool('${RAW_TOOL}', {
    invoke: async ({ input }) => {
      const { content } = await client.request('tools/call', { name: 'echo', arguments: input });
      return new vscode.LanguageModelToolResult(content.map(({ text }) => new vscode.LanguageModelTextPart(text)));
    },
  });
};
`;
  writeFileSync(path.join(folder, 'main.js'), main);
  return folder;
}
