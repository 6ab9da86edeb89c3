import { say } from '../../base/say.ts';
/** A published MCP server that completion offers. Nothing is installed or asked for by offering it. */
export interface KnownPackage {
  readonly runner: 'npx' | 'uvx' | 'docker';
  readonly name: string;
  /** What its tools are for. */
  readonly about: string;
}

/**
 * Well-known public MCP servers, each under the name that its publisher's documentation gives. Kept short: the registry has
 * them all. Names only, without versions.
 */
export const KNOWN_PACKAGES: readonly KnownPackage[] = [
  {
    runner: 'npx',
    name: '@modelcontextprotocol/server-everything',
    about: say`All features of the protocol, for tests`,
  },
  { runner: 'npx', name: '@modelcontextprotocol/server-filesystem', about: say`Files in folders that you name` },
  { runner: 'npx', name: '@modelcontextprotocol/server-memory', about: say`A knowledge graph` },
  { runner: 'npx', name: '@modelcontextprotocol/server-sequential-thinking', about: say`Thinking in steps` },
  { runner: 'npx', name: '@playwright/mcp', about: say`A browser, with Playwright` },
  { runner: 'npx', name: 'chrome-devtools-mcp', about: say`A browser, with Chrome DevTools` },
  { runner: 'npx', name: '@upstash/context7-mcp', about: say`Documentation of libraries` },
  { runner: 'npx', name: '@azure/mcp', about: 'Azure' },
  { runner: 'npx', name: '@azure-devops/mcp', about: say`Azure DevOps` },
  { runner: 'npx', name: '@sentry/mcp-server', about: 'Sentry' },
  { runner: 'npx', name: '@notionhq/notion-mcp-server', about: 'Notion' },
  { runner: 'npx', name: '@stripe/mcp', about: 'Stripe' },
  { runner: 'npx', name: '@supabase/mcp-server-supabase', about: 'Supabase' },
  { runner: 'npx', name: '@heroku/mcp-server', about: 'Heroku' },
  { runner: 'npx', name: 'firecrawl-mcp', about: say`Web pages, with Firecrawl` },
  { runner: 'npx', name: 'mongodb-mcp-server', about: 'MongoDB' },
  { runner: 'npx', name: 'figma-developer-mcp', about: 'Figma' },
  { runner: 'npx', name: 'mcp-remote', about: say`Connects to a remote server` },
  { runner: 'uvx', name: 'mcp-server-fetch', about: say`Web pages as Markdown` },
  { runner: 'uvx', name: 'mcp-server-git', about: say`Git repositories` },
  { runner: 'uvx', name: 'mcp-server-time', about: say`Time and time zones` },
  { runner: 'uvx', name: 'markitdown-mcp', about: say`Documents as Markdown` },
  { runner: 'uvx', name: 'mcp-atlassian', about: say`Jira and Confluence` },
  { runner: 'docker', name: 'ghcr.io/github/github-mcp-server', about: 'GitHub' },
  { runner: 'docker', name: 'mcp/fetch', about: say`Web pages as Markdown` },
  { runner: 'docker', name: 'mcp/git', about: say`Git repositories` },
  { runner: 'docker', name: 'mcp/time', about: say`Time and time zones` },
  { runner: 'docker', name: 'hashicorp/terraform-mcp-server', about: 'Terraform' },
];

const RUNNERS: Readonly<Record<string, KnownPackage['runner']>> = {
  ...{ npx: 'npx', bunx: 'npx', pnpx: 'npx', pnpm: 'npx', yarn: 'npx', npm: 'npx' },
  ...{ uvx: 'uvx', uv: 'uvx', pipx: 'uvx' },
  ...{ docker: 'docker', podman: 'docker', nerdctl: 'docker' },
};

/** The packages that a command can run, e.g. `npx` or `C:\…\npx.cmd`. */
export function packagesFor(command: string): readonly KnownPackage[] {
  const program = command
    .split(/[\\/]/)
    .at(-1)
    ?.toLowerCase()
    .replace(/\.(?:cmd|exe|bat|ps1)$/, '');
  const runner = program !== undefined && Object.hasOwn(RUNNERS, program) ? RUNNERS[program] : undefined;
  return runner === undefined ? [] : KNOWN_PACKAGES.filter((each) => each.runner === runner);
}
