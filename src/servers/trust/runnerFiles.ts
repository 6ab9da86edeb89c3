/** What package runners, version managers and interpreters read in the folder that they start in. */
export const READ_BY_RUNNERS = [
  ...(['package.json', 'node_modules', '.npmrc', '.yarnrc', '.yarnrc.yml', '.pnp.cjs', 'pnpm-workspace.yaml'] as const),
  ...(['bunfig.toml', 'deno.json', 'deno.jsonc', '.env', 'pyproject.toml', 'uv.toml', '.python-version'] as const),
  ...([
    '.venv',
    '.tool-versions',
    'mise.toml',
    '.mise.toml',
    '.nvmrc',
    '.node-version',
    '.envrc',
    'docker-compose.yml',
  ] as const),
];
