import { say } from '../../base/say.ts';
import { programName } from '../../base/files/programName.ts';

/** Where what many servers need is installed from. */
const INSTALL_PAGES: readonly (readonly [program: RegExp, what: string, page: string])[] = [
  [/^(?:node|npx|npm|corepack)$/, 'Node.js', 'https://nodejs.org/en/download'],
  [/^(?:pnpm|pnpx)$/, 'pnpm', 'https://pnpm.io/installation'],
  [/^yarn$/, 'Yarn', 'https://yarnpkg.com/getting-started/install'],
  [/^(?:uvx|uv)$/, 'uv', 'https://docs.astral.sh/uv/getting-started/installation/'],
  [/^(?:bunx|bun)$/, 'Bun', 'https://bun.sh/docs/installation'],
  [/^deno$/, 'Deno', 'https://docs.deno.com/runtime/getting_started/installation/'],
  [/^(?:python[\d.]*|py|pip[\d.]*)$/, 'Python', 'https://www.python.org/downloads/'],
  [/^pipx$/, 'pipx', 'https://pipx.pypa.io/stable/installation/'],
  [/^(?:docker|docker-compose)$/, 'Docker', 'https://docs.docker.com/get-started/get-docker/'],
  [/^podman$/, 'Podman', 'https://podman.io/docs/installation'],
  [/^(?:dotnet|dnx)$/, '.NET', 'https://dotnet.microsoft.com/download'],
  [/^(?:java|javaw|jbang)$/, 'Java', 'https://adoptium.net/installation/'],
  [/^go$/, 'Go', 'https://go.dev/doc/install'],
  [/^(?:cargo|rustc)$/, 'Rust', 'https://www.rust-lang.org/tools/install'],
  [/^(?:ruby|gem|bundle)$/, 'Ruby', 'https://www.ruby-lang.org/en/documentation/installation/'],
  [/^(?:php|composer)$/, 'PHP', 'https://www.php.net/manual/en/install.php'],
  [/^gh$/, say`the GitHub CLI`, 'https://cli.github.com/'],
  [/^git$/, 'Git', 'https://git-scm.com/downloads'],
  [/^wsl$/, 'WSL', 'https://learn.microsoft.com/windows/wsl/install'],
  [/^nix(?:-shell)?$/, 'Nix', 'https://nixos.org/download/'],
  [
    /^(?:pwsh|powershell)$/,
    'PowerShell',
    'https://learn.microsoft.com/powershell/scripting/install/installing-powershell',
  ],
];

/** What to do about a command that isn't found, as one sentence. */
export function missingProgramRemedy(command: string): string {
  const name = programName(command);
  const [, what, page] = INSTALL_PAGES.find(([program]) => program.test(name)) ?? [];
  if (what === undefined) return say`Install it, or write its full path as "command".`;
  return say`Install ${what} (${page}); if it is installed, write the full path of ${name} as "command", or start the editor from a shell that finds it.`;
}
