import * as vscode from 'vscode';
import { systemClock } from '../../base/clock.ts';
import type { SourceOptions } from '../../config/configSources.ts';
import { LoginShell } from '../../connection/start/loginShell.ts';
import { examine } from '../../doctor/examine.ts';
import { markdownOf } from '../../doctor/doctorMarkdown.ts';
import type { OutsideAccess } from '../../bridge/gateway/outside/outsideAccess.ts';
import type { Host } from '../../host/host.ts';
import { readOutsideSettings } from '../../platform/hostSettings.ts';

/** *Doctor*: shows every source, server and problem in a document, and who else has access. */
export async function showDoctor(host: Host, options: SourceOptions, outside: OutsideAccess): Promise<void> {
  const problems = [...host.problems, ...(await host.calls.hooks.problems(host.namesInUse))];
  const { platform, env, home } = options;
  const shell = new LoginShell({ platform, hostEnvironment: env, homeDir: home, clock: systemClock });
  const report = await examine(
    { config: host.config, servers: host.servers, problems },
    { options, environment: process.env, loginPath: await shell.path() },
  );
  const content = `${markdownOf(report)}\n${outsideText(outside)}`;
  const document = await vscode.workspace.openTextDocument({ language: 'markdown', content });
  await vscode.window.showTextDocument(document, { preview: true });
}

function outsideText({ isOn, opened }: OutsideAccess): string {
  const { asksClients, http } = readOutsideSettings();
  const command = opened?.commandFor();
  return `${[
    '## Agents outside the editor',
    isOn
      ? `Access is on in this workspace${command ? `, by the command \`${[command.command, ...command.args].join(' ')}\`` : ', but could not be opened: see the log'}.`
      : 'Access is off in this workspace.',
    `Questions about their calls show ${asksClients ? 'in the agent if it shows forms' : 'in the editor'}. HTTP is ${http ? 'allowed' : 'off'}.`,
  ].join('\n\n')}\n`;
}
