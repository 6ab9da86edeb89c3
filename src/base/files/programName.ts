/** The name of the program that a command names, in lower case: `C:\\tools\\npx.cmd` → `npx`. */
export function programName(command: string): string {
  const last = command.slice(Math.max(command.lastIndexOf('/'), command.lastIndexOf('\\')) + 1);
  return last.replace(/\.(?:exe|cmd|bat|ps1)$/i, '').toLowerCase();
}
