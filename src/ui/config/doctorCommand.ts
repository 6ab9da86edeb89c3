import * as vscode from 'vscode';
import type { SourceOptions } from '../../config/configSources.ts';
import { examine } from '../../doctor/examine.ts';
import { markdownOf } from '../../doctor/doctorMarkdown.ts';
import type { Host } from '../../host/host.ts';

/** *Doctor*: shows every source, server and problem in a document. */
export async function showDoctor(host: Host, options: SourceOptions): Promise<void> {
  const report = await examine(host, { options, environment: process.env, loginPath: undefined });
  const document = await vscode.workspace.openTextDocument({ language: 'markdown', content: markdownOf(report) });
  await vscode.window.showTextDocument(document, { preview: true });
}
