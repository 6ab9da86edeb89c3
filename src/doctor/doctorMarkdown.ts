import { oneLine } from '../base/text/showInvisible.ts';
import { inertCode, inertWords } from './inertWords.ts';
import type { ConnectOutcome, DoctorReport, DoctorServer, DoctorSource } from './doctorReport.ts';

/** The report as Markdown, in which nothing of what servers and files say is active, however it's rendered. */
export function markdownOf({ sources, servers, problems }: DoctorReport): string {
  const found = sources.filter(({ status }) => status !== 'absent');
  const absent = sources.filter(({ status }) => status === 'absent');
  return `${[
    '# MCP Switchboard: Doctor',
    '## Servers',
    servers.length === 0
      ? 'No servers are defined in the files below.'
      : table(
          ['Server', 'State', 'Scope', 'Transport', 'Command', 'Defined in'],
          servers.map((server) => [
            `**${inertWords(server.name)}**`,
            inertWords(stateText(server)),
            server.scope,
            inertWords(server.transport),
            commandText(server),
            inertWords(`${server.file}:${server.line}`),
          ]),
        ),
    '## Problems',
    problems.length === 0
      ? 'None.'
      : problems
          .map(
            ({ file, line, column, severity, code, message, fix }) =>
              `- **${severity}** ${inertWords(`${file}:${line}:${column}`)} (${code}): ${inertWords([message, fix].filter(Boolean).join(' '))}`,
          )
          .join('\n'),
    '## Files',
    found.length === 0 ? 'None.' : found.map(placeText).join('\n'),
    '## Not found',
    absent.map(({ scope, file }) => `- ${scope}: ${inertWords(file)}`).join('\n'),
    ...searchPaths(servers),
  ].join('\n\n')}\n`;
}

/** An agent in a session of its own reads the root `.mcp.json` by itself, whoever hosts in this window. */
function placeText({ scope, file, status }: DoctorSource): string {
  const owner = scope === 'project' && status === 'found' ? '; Agent Host sessions run these with VS Code' : '';
  return `- ${scope}: ${inertWords(file)} (${status}${owner})`;
}

function commandText({ command }: DoctorServer): string {
  return command ? (command.found ? 'found' : 'not found') : '';
}

/** What is so, where it was connected; else what would become of it. */
function stateText({ state, reason, connect }: DoctorServer): string {
  if (connect && state === 'ready') return connectText(connect);
  return [state, reason, connect && connectText(connect)].filter(Boolean).join('; ');
}

function connectText({ state, protocol, tools, ms, error }: ConnectOutcome): string {
  if (state === 'connected') {
    const time = ms === undefined ? '' : ` in ${ms} ms`;
    const failure = error === undefined ? '' : `; listing tools failed: ${error}`;
    return `connected${time}, protocol ${protocol ?? 'unknown'}, ${tools} tools${failure}`;
  }
  const time = ms === undefined ? '' : ` after ${ms} ms`;
  return error === undefined && ms === undefined ? state : `${state}${time}: ${error ?? 'no reason given'}`;
}

/** Each PATH once, with the servers that are searched in it. */
function searchPaths(servers: readonly DoctorServer[]): string[] {
  const byPath = Map.groupBy(servers, ({ command }) => command?.path);
  return [...byPath].flatMap(([path, group]) =>
    path === undefined
      ? []
      : [`## PATH for ${group.map(({ name }) => inertWords(name)).join(', ')}`, inertCode(oneLine(path))],
  );
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
