// Runs in the extension host: does with the editor's own MCP servers what bench/peers/builtIn.ts says.
import { writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import type { Order, Report } from '../peers/builtIn.ts';

export async function run(): Promise<void> {
  const url = process.env['SWITCHBOARD_BENCH_ORDERS'] ?? '';
  let report: Report | undefined;
  for (;;) {
    const response = await fetch(url, { method: 'POST', body: report ? JSON.stringify(report) : '' });
    const order = (await response.json()) as Order;
    if (order.do === 'end') break;
    report = await obey(order).catch((error: unknown) => ({ error: String(error) }));
  }
  writeFileSync(process.env['SWITCHBOARD_BENCH_RESULT'] ?? '', '{}');
}

const idOf = (server: string): string => `mcp.config.ws0.${server}`;
/** What the tools of a server begin with: the editor calls them by the name that the server gives itself. */
const prefixes = new Map<string, string>();
const namesNow = (): readonly string[] =>
  vscode.lm.tools.map(({ name }) => name).filter((name) => name.startsWith('mcp_'));
const toolsOf = (server: string, before: ReadonlySet<string>): readonly string[] => {
  const added = namesNow().find((name) => !before.has(name));
  const prefix = prefixes.get(server) ?? (added && /^mcp_[^_]+_/.exec(added)?.[0]);
  if (prefix === undefined) return [];
  prefixes.set(server, prefix);
  return namesNow().flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));
};

async function obey(order: Exclude<Order, { do: 'end' }>): Promise<Report> {
  if (order.do === 'stop') {
    await limited(vscode.commands.executeCommand('workbench.mcp.stopServer', idOf(order.server)), 5_000);
    return {};
  }
  if (order.do === 'call') return call(`${prefixes.get(order.server) ?? ''}${order.tool}`);
  const before = new Set(namesNow());
  const options = { autoTrustChanges: true, waitForLiveTools: true };
  await limited(vscode.commands.executeCommand('workbench.mcp.startServer', idOf(order.server), options), 6_000);
  // On a busy machine the list of tools comes late.
  for (let tries = 0; tries < 30 && toolsOf(order.server, before).length === 0; tries++) await pause(100);
  const tools = toolsOf(order.server, before);
  return tools.length > 0 ? { tools } : { error: await output(order.server) };
}

async function call(name: string): Promise<Report> {
  const source = new vscode.CancellationTokenSource();
  const calling = vscode.lm.invokeTool(name, { input: {}, toolInvocationToken: undefined }, source.token);
  const result = await limited(calling, 6_000);
  source.cancel();
  if (!result) return { error: 'no end of the call within 6 s' };
  const texts: string[] = [];
  const images: { mimeType: string; hex: string }[] = [];
  for (const part of result.content) {
    const data = part as { readonly data?: Uint8Array; readonly mimeType?: string };
    if (part instanceof vscode.LanguageModelTextPart) texts.push(part.value);
    else if (data.data && data.mimeType?.startsWith('image/'))
      images.push({ mimeType: data.mimeType, hex: Buffer.from(data.data.slice(0, 4)).toString('hex') });
    else texts.push(data.data ? Buffer.from(data.data).toString('utf8') : JSON.stringify(part));
  }
  // The editor gives the error of a call as its text.
  return { said: { text: texts.join('\n'), images } };
}

/** The server's own channel, which is where the editor says why a server doesn't start. */
async function output(server: string): Promise<string> {
  await limited(vscode.commands.executeCommand('workbench.mcp.showOutput', idOf(server)), 3_000);
  for (let tries = 0; tries < 15; tries++) {
    await pause(100);
    const documents = vscode.workspace.textDocuments.filter(
      ({ uri, fileName }) => uri.scheme === 'output' && `${uri.path}${fileName}`.includes(server),
    );
    const text = documents.at(-1)?.getText();
    if (text) return text;
  }
  return 'no tools, and nothing in its output channel';
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** What a thenable gives; `undefined` after a time. */
function limited<T>(thenable: Thenable<T>, ms: number): Promise<T | undefined> {
  return Promise.race([Promise.resolve(thenable), pause(ms).then(() => undefined)]);
}
