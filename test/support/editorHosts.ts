/**
 * What the editor's own extensions ask in the process that ours runs in: the built-in agent, for its experiments and its account. None of
 * these is in our files. PRIVACY.md names them.
 */
export const OF_THE_EDITOR = [
  'exp-tas.com',
  'githubcopilot.com',
  'api.github.com',
  'vscode-cdn.net',
  'visualstudio.com',
] as const;
