import { programName } from '../../base/programName.ts';
import type { ConnectionSpec } from '../connectionTypes.ts';

/** Whether starting this server may download it first. */
export function downloadsFirst(spec: ConnectionSpec): boolean {
  return spec.type === 'stdio' && isPackageRunner(spec.command, spec.args);
}

/**
 * Whether a command may download what it runs (design: *Connections*): it gets more time for the handshake.
 */
export function isPackageRunner(command: string, args: readonly string[]): boolean {
  const words = [programName(command), ...args.filter((arg) => !arg.startsWith('-') && !arg.startsWith('/'))];
  // Windows: `cmd /c npx …`
  if (words[0] === 'cmd' || words[0] === 'powershell' || words[0] === 'pwsh') words.shift();
  const [program = '', verb = ''] = words.map((word) => programName(word));
  if (['npx', 'uvx', 'bunx', 'docker', 'podman'].includes(program)) return true;
  return RUNNER_VERBS[program]?.includes(verb) ?? false;
}

const RUNNER_VERBS: Readonly<Record<string, readonly string[]>> = {
  pnpm: ['dlx'],
  yarn: ['dlx'],
  npm: ['exec', 'x'],
  bun: ['x'],
  uv: ['run', 'tool'],
  pipx: ['run'],
  deno: ['run'],
};
