import { join } from 'node:path';

/** What runs a script of Windows' own PowerShell, wherever PATH leads: program and arguments. */
export function powerShell(script: string): [file: string, args: readonly string[]] {
  const folder = join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'WindowsPowerShell', 'v1.0');
  return [join(folder, 'powershell.exe'), ['-NoProfile', '-NonInteractive', '-Command', script]];
}
