export function say(text: string): void;
export function onPath(name: string): string | undefined;
export function run(
  command: string,
  args: readonly string[],
  options?: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv },
): Promise<string>;
export function runNpm(
  args: readonly string[],
  options?: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv },
): Promise<string>;
export function npmCommand(found: string | undefined, running?: string): [string, ...string[]];
export function withNode(node: string): NodeJS.ProcessEnv;
