import { strict as assert } from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { eventually } from '../support.ts';

/** How a setting, or a variable of the environment, is seen to do what it says. */
export interface Check {
  /** Other settings meanwhile. */
  readonly with?: () => Readonly<Record<string, unknown>>;
  /** What the user, the agent or a server sees; the same whatever the value is. */
  readonly effect: () => unknown;
  /** What is seen with each value, one after the other in the same window. `undefined`: not set. */
  readonly shows: readonly (readonly [value: unknown, effect: unknown])[];
}

/** Its change makes everything be read anew. */
const READ_ANEW = 'mcpSwitchboard.configFiles';

/** By full name; several where one look doesn't show all that a setting does. */
export type Checks = Readonly<Record<string, Check | readonly Check[]>>;

const configuration = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration();

/** Sets a setting of the user's, or takes it back. */
export async function setting(name: string, value: unknown): Promise<void> {
  await configuration().update(name, value, vscode.ConfigurationTarget.Global);
}

/** Runs `body` with settings (full name to value), and puts back what was set before. */
export async function withSettings(
  settings: Readonly<Record<string, unknown>>,
  body: () => Promise<void>,
): Promise<void> {
  const before = Object.keys(settings).map((name) => [name, configuration().inspect(name)?.globalValue] as const);
  try {
    for (const [name, value] of Object.entries(settings)) await setting(name, value);
    await body();
  } finally {
    for (const [name, value] of before) await setting(name, value);
  }
}

/** The editor's environment doesn't change while it runs, so nobody looks for that: a setting has to change as well. */
export async function variable(name: string, value: string | undefined): Promise<void> {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
  await setting(
    READ_ANEW,
    configuration().inspect(READ_ANEW)?.globalValue === undefined ? ['~/no such file'] : undefined,
  );
}

/** Changes something and looks what is seen of it. That nothing is done, or always the same is seen, fails. */
export async function run(check: Check, change: (value: unknown) => Promise<void>): Promise<void> {
  const effects = check.shows.map(([, effect]) => JSON.stringify(effect));
  assert.ok(effects.length > 1 && new Set(effects).size > 1, 'it is seen to make a difference');
  for (const [value, expected] of check.shows) {
    await change(value);
    let seen: unknown;
    const matches = async (): Promise<boolean> => isDeepStrictEqual((seen = await check.effect()), expected);
    await eventually(`with ${JSON.stringify(value)}: ${JSON.stringify(expected)}`, matches, 15_000).catch(
      (error: Error) => assert.fail(`${error.message}\nseen last: ${JSON.stringify(seen)}`),
    );
  }
}
