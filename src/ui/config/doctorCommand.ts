import * as vscode from 'vscode';
import { localized } from '../../bridge/text/localized.ts';
import { ownInputs } from '../../bridge/dialogs/ownInputs.ts';
import { systemClock } from '../../base/clock.ts';
import type { SourceOptions } from '../../config/configSources.ts';
import { LoginShell } from '../../connection/start/loginShell.ts';
import { outcomeOf } from '../../doctor/connectOutcome.ts';
import { examine } from '../../doctor/examine.ts';
import { readBuild } from '../../doctor/installedBuild.ts';
import { markdownOf } from '../../doctor/doctorMarkdown.ts';
import { liveProblems, mayReconnect, serverFaults, type ServerFault, type WayOut } from '../../doctor/liveProblems.ts';
import type { OutsideAccess } from '../../bridge/gateway/outside/outsideAccess.ts';
import { notify } from '../../bridge/dialogs/showNotification.ts';
import { plainText } from '../../bridge/text/safeText.ts';
import type { Host } from '../../host/host.ts';
import { readOutsideSettings } from '../../platform/settings/hostSettings.ts';
import { showRendered } from './showRendered.ts';

/** What *Doctor* looks at. */
export interface DoctorPorts {
  readonly host: Host;
  readonly options: SourceOptions;
  readonly outside: OutsideAccess;
}

/**
 * *Doctor*: shows every source, every server with its state now, and every problem, rendered in a read-only tab, and who else has access. A
 * notification copies the report's source; where a server that is meant to be there isn't, it offers to connect it anew, or the way out.
 */
export async function showDoctor(ports: DoctorPorts): Promise<void> {
  const faults = serverFaults(ports.host.views);
  const report = await doctorText(ports, faults);
  await showRendered('Doctor.md', report);
  void offerMore(ports, faults, report);
}

/** What *Doctor* says, as Markdown. */
export async function doctorText(
  { host, options, outside }: DoctorPorts,
  faults = serverFaults(host.views),
): Promise<string> {
  const hooks = await host.calls.hooks.problems(host.namesInUse);
  const problems = [...host.problems, ...hooks, ...liveProblems(faults)];
  const states = new Map(host.pool.all.map((connection) => [connection.id, outcomeOf(connection)]));
  const { platform, env, home } = options;
  const shell = new LoginShell({ platform, hostEnvironment: env, homeDir: home, clock: systemClock });
  const report = await examine(
    { config: host.config, servers: host.servers, problems },
    { options, environment: process.env, loginPath: await shell.path() },
    states,
  );
  return `${markdownOf(report)}\n${outsideText(outside)}\n${await versionsText()}`;
}

async function offerMore(ports: DoctorPorts, faults: readonly ServerFault[], report: string): Promise<void> {
  const { t } = vscode.l10n;
  const lost = faults.filter(mayReconnect);
  const again = t('Connect Again');
  const fix = t('Fix…');
  const copy = t('Copy Report');
  const buttons = [...(lost.length > 0 ? [again] : []), ...(faults.length > 0 ? [fix] : []), copy];
  const chosen = await notify(faults.length > 0 ? 'warning' : 'information', faultText(faults, ports), ...buttons);
  if (chosen === again) await connectAgain(ports, lost);
  if (chosen === fix) await pickWayOut(faults);
  if (chosen === copy) await vscode.env.clipboard.writeText(report);
}

function faultText({ length }: readonly ServerFault[], { host }: DoctorPorts): string {
  const { t } = vscode.l10n;
  if (length === 0) return t('Doctor’s report is open. It contains paths and names of servers.');
  return length === 1
    ? t('1 of {0} MCP servers is not available.', host.views.length)
    : t('{0} of {1} MCP servers are not available.', length, host.views.length);
}

/** Connects the servers anew, and shows what came of it, or of it so far where the user cancels. */
async function connectAgain(ports: DoctorPorts, lost: readonly ServerFault[]): Promise<void> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: plainText(vscode.l10n.t('Connecting MCP servers')),
    cancellable: true,
  };
  await vscode.window.withProgress(options, async (_progress, token) => {
    const cancelled = new Promise<void>((resolve) => token.onCancellationRequested(() => resolve()));
    // One that went meanwhile is in the report as it is then.
    const restarted = Promise.allSettled(lost.map(({ view }) => ports.host.pool.restart(view.definition.id)));
    await Promise.race([restarted, cancelled]);
  });
  await showDoctor(ports);
}

async function pickWayOut(faults: readonly ServerFault[]): Promise<void> {
  const { t } = vscode.l10n;
  const labels: Readonly<Record<WayOut, string>> = {
    approve: `$(check) ${t('Approve…')}`,
    connect: `$(debug-start) ${t('Connect')}`,
    restart: `$(debug-restart) ${t('Restart')}`,
    showLog: `$(output) ${t('Show Log')}`,
    signIn: `$(key) ${t('Sign In')}`,
    openDefinition: `$(go-to-file) ${t('Open Definition')}`,
  };
  const items = faults.map(({ view: { definition }, message, wayOut }) => ({
    label: labels[wayOut],
    description: plainText(definition.name),
    detail: plainText(localized(message)),
    command: `mcpSwitchboard.${wayOut}`,
    id: definition.id,
  }));
  const picked = await ownInputs.ask(() => vscode.window.showQuickPick(items, { placeHolder: t('Select what to do') }));
  if (picked) await vscode.commands.executeCommand(picked.command, picked.id);
}

/** What a report of a fault must say: this build, the editor and the system. */
async function versionsText(): Promise<string> {
  const extension = vscode.extensions.getExtension('mcp-switchboard.mcp-switchboard');
  const build = extension && (await readBuild(extension.extensionUri.fsPath));
  const { appName, appHost, remoteName } = vscode.env;
  return `${[
    '## Versions',
    [
      ...(build
        ? [
            `- MCP Switchboard ${build.version}, commit ${build.commit}`,
            `- SHA-256 of its installed files: \`${build.checksum}\``,
          ]
        : []),
      `- ${appName} ${vscode.version} (${[appHost, remoteName].filter(Boolean).join(', ')})`,
      `- ${process.platform} ${process.arch}, Node ${process.versions.node}`,
    ].join('\n'),
  ].join('\n\n')}\n`;
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
