import * as vscode from 'vscode';
import {
  addServer,
  addServerToValue,
  newServerOf,
  readNewServer,
  type NewServer,
} from '../../config/edit/addServer.ts';
import type { Host } from '../../host/host.ts';
import { LINE_LENGTH, wrapped } from '../../bridge/dialogLines.ts';
import { plainText } from '../../bridge/safeText.ts';
import { describeLaunch } from '../../servers/trust/launchSummary.ts';
import { quoted } from '../../servers/trust/quoted.ts';
import { askChoice } from '../choice.ts';
import { configFileUri } from './openConfig.ts';
import { changeConfigFile, targetItem, type Target } from './writeConfig.ts';

/**
 * *Add Server…*: asks for a command or URL, a name and a scope, and writes the definition.
 * @param line the command or URL to start with: whoever runs the command may give it, so it is shown
 * @returns the name; `undefined` if the user cancelled
 */
export async function addServerInteractively(host: Host, line = ''): Promise<string | undefined> {
  const given = await askLine(line);
  const server = given === undefined ? undefined : newServerOf(given, process.platform);
  if (!server) return undefined;
  const name = (await askName(host, server))?.trim();
  if (!name) return undefined;
  const target = await askTarget(name, server);
  if (!target) return undefined;
  await writeServer(host, target, name, server);
  return name;
}

/** Puts a definition into a scope's file or setting, or adds it for this session only. */
export async function writeServer(host: Host, target: Target, name: string, server: NewServer): Promise<void> {
  switch (target) {
    case 'session': {
      const entry = readNewServer(name, server);
      if (entry && 'transport' in entry) host.servers.addForSession(name, entry.transport);
      return;
    }
    case 'user': {
      const settings = vscode.workspace.getConfiguration('mcpSwitchboard');
      const value = addServerToValue(settings.inspect('servers')?.globalValue, name, server);
      await settings.update('servers', value, vscode.ConfigurationTarget.Global);
      return;
    }
    case 'project':
    case 'workspace': {
      const uri = await configFileUri(target);
      const section = target === 'project' ? 'mcpServers' : 'servers';
      if (uri) await changeConfigFile(uri, target, (text) => addServer(text, name, server, section));
    }
  }
}

async function askLine(known: string): Promise<string | undefined> {
  const { t } = vscode.l10n;
  return vscode.window.showInputBox({
    title: t('Add MCP Server'),
    prompt: t('Command or URL'),
    placeHolder: 'npx -y @modelcontextprotocol/server-memory   ·   https://example.com/mcp',
    value: known,
    ignoreFocusOut: true,
    validateInput: (value) => {
      const server = newServerOf(value, process.platform);
      if (!server) return t('Enter a command or a URL.');
      const read = readNewServer('new', server);
      return read && 'message' in read ? read.message : undefined;
    },
  });
}

async function askName(host: Host, server: NewServer): Promise<string | undefined> {
  const { t } = vscode.l10n;
  const taken = new Set(host.views.map(({ definition }) => definition.name));
  return vscode.window.showInputBox({
    title: t('Add MCP Server'),
    prompt: t('Server name'),
    value: suggestName(server),
    ignoreFocusOut: true,
    validateInput: (value) => {
      if (value.trim() === '') return t('Enter a name.');
      return taken.has(value.trim()) ? t('Name already in use') : undefined;
    },
  });
}

/** Shows what will be written, word for word, in lines: the editor cuts a long word in a title. */
async function askTarget(name: string, server: NewServer): Promise<Target | undefined> {
  const { t } = vscode.l10n;
  const entry = readNewServer(name, server);
  if (!entry || 'message' in entry) return undefined;
  return askChoice<Target>({
    title: t('Add MCP Server'),
    placeHolder: t('Where to save?'),
    choices: (['project', 'workspace', 'user', 'session'] as const).map((target) => ({
      ...targetItem<Target>(target),
      value: target,
    })),
    about: t('What runs'),
    lines: [`${quoted(name)}:`, ...describeLaunch(entry)].flatMap((line) => wrapped(line, LINE_LENGTH).map(plainText)),
  });
}

function suggestName(server: NewServer): string {
  const source =
    'url' in server
      ? new URL(server.url).hostname
      : ([server.command, ...server.args].findLast((word) => !word.startsWith('-')) ?? '');
  const last = source.split(/[\\/]/).at(-1) ?? '';
  return last.replace(/@.*$|\.[a-z]+$/i, '').replace(/^(mcp-)?server-/, '') || 'server';
}
