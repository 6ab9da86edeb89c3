/**
 * What the editor's own agent may ask in the process that ours runs in, for its experiments, its account, its models and its
 * telemetry: each a whole name of a host, as that agent writes it (0.67). Often it asks none of them while the suite runs. None of these is
 * in our files. PRIVACY.md names them.
 */
export const OF_THE_EDITOR: readonly string[] = [
  'api.github.com',
  'api.githubcopilot.com',
  'dc.services.visualstudio.com',
  'default.exp-tas.com',
  'embeddings.vscode-cdn.net',
  'main.vscode-cdn.net',
];
