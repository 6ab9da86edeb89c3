import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock } from '../base/clock.ts';
import { Emitter } from '../base/event.ts';
import { silentLogger } from '../base/log.ts';
import { MemoryStore } from '../base/keyValueStore.ts';
import { ConfigLoader } from '../config/configLoader.ts';
import { LoginShell } from '../connection/start/loginShell.ts';
import { ServerRegistry } from '../servers/serverRegistry.ts';
import { allProblems, variableContext } from '../servers/resolveEntry.ts';
import { connectAll } from './connectAll.ts';
import { examine } from './examine.ts';
import { HeadlessPorts, type HeadlessMachine } from './headlessPorts.ts';
import { markdownOf } from './doctorMarkdown.ts';
import { hasProblems, type DoctorReport } from './doctorReport.ts';

/** Variables by which programs look for a user's files elsewhere than below the home folder. */
const HOME_ELSEWHERE = [
  'XDG_CONFIG_HOME',
  'CLAUDE_CONFIG_DIR',
  'CODEX_HOME',
  'COPILOT_HOME',
  'APPDATA',
  'LOCALAPPDATA',
];

const USAGE = 'usage: npm run -s doctor -- --workspace DIR [--home DIR] [--json] [--connect]';

/**
 * The doctor without an editor. Prints its report, as Markdown or as JSON.
 * @returns the exit code: 1 where there is an error or a warning, 2 for wrong arguments
 */
export async function runDoctor(args: readonly string[], print: (text: string) => void): Promise<number> {
  const options = readArguments(args);
  if (typeof options === 'string') {
    print(`${options}\n${USAGE}`);
    return 2;
  }
  const machine = machineOf(options);
  const report = await reportOn(machine, options.connect);
  print(options.json ? JSON.stringify(report, undefined, 2) : markdownOf(report));
  return hasProblems(report) ? 1 : 0;
}

interface Arguments {
  readonly workspace: string;
  readonly home: string | undefined;
  readonly json: boolean;
  readonly connect: boolean;
}

/** @returns the arguments, or what is wrong with them */
function readArguments(args: readonly string[]): Arguments | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        workspace: { type: 'string' },
        home: { type: 'string' },
        json: { type: 'boolean', default: false },
        connect: { type: 'boolean', default: false },
      },
    });
    if (values.workspace === undefined) return 'Which workspace? --workspace DIR is missing.';
    return { workspace: values.workspace, home: values.home, json: values.json, connect: values.connect };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function machineOf({ workspace, home }: Arguments): HeadlessMachine {
  const environment = { ...process.env };
  if (home !== undefined) {
    for (const name of HOME_ELSEWHERE) delete environment[name];
    environment['HOME'] = path.resolve(home);
  }
  return {
    platform: process.platform,
    environment,
    home: path.resolve(home ?? os.homedir()),
    workspace: path.resolve(workspace),
  };
}

async function reportOn(machine: HeadlessMachine, connect: boolean): Promise<DoctorReport> {
  const ports = await HeadlessPorts.of(machine);
  const { platform, environment, home } = machine;
  const { workspaceFolders } = ports.options;
  const resolving = { platform, environment, homeDir: home, workspaceFolders };
  const config = new ConfigLoader(ports, systemClock, silentLogger, (entry) => variableContext(entry, resolving));
  const trustChanged = new Emitter<void>();
  const servers = new ServerRegistry({
    config,
    store: new MemoryStore(),
    editor: { workspaceTrusted: () => true, editorHosts: () => false, onDidChange: trustChanged.event },
    clock: systemClock,
    policies: () => ports.policies,
    scopeOrder: () => ports.scopeOrder,
  });
  try {
    const snapshot = await config.start();
    await servers.judged();
    const connects = connect ? await connectAll(ports, machine) : new Map<string, never>();
    const problems = allProblems(snapshot, servers.definitions, resolving);
    const shell = new LoginShell({ platform, hostEnvironment: environment, homeDir: home, clock: systemClock });
    const context = { options: ports.options, environment, loginPath: await shell.path() };
    return await examine({ config: { snapshot }, servers, problems }, context, connects);
  } finally {
    servers.dispose();
    config.dispose();
    trustChanged.dispose();
  }
}
