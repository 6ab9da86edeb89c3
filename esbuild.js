// Bundles the extension. `node esbuild.js [--production] [--watch] [--metafile]`
//
// Everything that activation needs is in dist/extension.js. What is heavy and needed only later is a bundle of its own
// (LAZY): a dynamic import of one of these modules, or a `require` where nobody can wait, stays a `require` of the sibling
// bundle, evaluated on first use.
const esbuild = require('esbuild');
const fs = require('node:fs');
const path = require('node:path');

const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');

/** Module (relative to src/) -> bundle in dist/. */
const LAZY = {
  'bridge/api/api.ts': 'api',
  'bridge/gateway/editor/editorGateway.ts': 'gateway',
  'bridge/lmTools/lmToolRuns.ts': 'lmToolRuns',
  'bridge/participant/handleRequest.ts': 'participant',
  'bridge/serverQuestions/nativeForm.ts': 'questions',
  'bridge/resources/resourceDocuments.ts': 'resourceDocuments',
  'bridge/sampling/answerSampling.ts': 'sampling',
  'connection/protocol/sdk.ts': 'sdk',
  'connection/start/starter.ts': 'starter',
  'bridge/callQuestions/editorAsker.ts': 'asker',
  'calls/broker.ts': 'broker',
  'calls/hooks/hookRunner.ts': 'hookRunner',
  'calls/policy/managedRules.ts': 'managedRules',
  'calls/arguments/argumentValidator.ts': 'validator',
  'catalog/search/finder.ts': 'search',
  'catalog/search/words/synonymTable.ts': 'synonyms',
  'config/sources/cloud.ts': 'cloud',
  'config/read/parseSource.ts': 'parse',
  'config/syntax/readToml.ts': 'toml',
  'platform/configPlaces.ts': 'configPlaces',
  'ui/config/addServerDialog.ts': 'addServer',
  'ui/servers/approvals.ts': 'approvals',
  'ui/calls/showCallHistory.ts': 'callHistory',
  'ui/tools/contextStatistics.ts': 'contextStatistics',
  'ui/config/doctorCommand.ts': 'doctor',
  'ui/calls/showFailedCalls.ts': 'failedCalls',
  'ui/gatewayAddress.ts': 'gatewayAddress',
  'ui/permissions/hookApproval.ts': 'hookApproval',
  'ui/servers/whoHostsDialog.ts': 'hosting',
  'ui/config/importDialog.ts': 'importServers',
  'ui/tools/listTools.ts': 'listTools',
  'ui/permissions/managePermissions.ts': 'managePermissions',
  'ui/items/openResource.ts': 'openResource',
  'ui/plan/planActions.ts': 'planActions',
  'ui/plan/planDocuments.ts': 'planDocuments',
  'ui/config/quickFixActions.ts': 'quickFixes',
  'ui/items/runPrompt.ts': 'runPrompt',
  'ui/tools/searchCommand.ts': 'searchCommand',
  'ui/servers/serverActions.ts': 'serverActions',
  'ui/servers/serverTreeItems.ts': 'serverItems',
  'ui/tools/toolChanges.ts': 'toolChanges',
};

/** @type {import('esbuild').Plugin} */
const lazyBundles = {
  name: 'lazy-bundles',
  setup(build) {
    build.onResolve({ filter: /\.ts$/ }, (args) => {
      if (args.kind !== 'dynamic-import' && args.kind !== 'require-call') return undefined;
      const target = path.relative(path.join(__dirname, 'src'), path.resolve(args.resolveDir, args.path));
      const bundle = LAZY[target.replaceAll(path.sep, '/')];
      return bundle ? { path: `./${bundle}.js`, external: true } : undefined;
    });
  },
};

/**
 * One object with the editor's API per bundle: otherwise the bundler copies its some 500 names for each module that
 * imports it, which is a third of the time that loading takes.
 * @type {import('esbuild').Plugin}
 */
const oneEditorApi = {
  name: 'one-editor-api',
  setup(build) {
    build.onResolve({ filter: /^vscode$/ }, ({ namespace }) =>
      namespace === 'editor' ? { path: 'vscode', external: true } : { path: 'vscode', namespace: 'editor' },
    );
    build.onLoad({ filter: /./, namespace: 'editor' }, () => ({ contents: "export * from 'vscode';" }));
  },
};

/** @type {import('esbuild').BuildOptions} */
const options = {
  entryPoints: {
    extension: 'src/extension.ts',
    ...Object.fromEntries(Object.entries(LAZY).map(([source, bundle]) => [bundle, `src/${source}`])),
  },
  absWorkingDir: __dirname,
  outdir: 'dist',
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node22',
  // jsonc-parser's CommonJS build is UMD, whose inner requires no bundler can follow.
  mainFields: ['module', 'main'],
  minify: production,
  sourcemap: production ? false : 'linked',
  legalComments: 'none',
  charset: 'utf8',
  metafile: true,
  logLevel: 'info',
  // Tool arguments and results are validated by calls/validator.ts alone, so the SDK's own copy of Ajv stays out.
  alias: { '@modelcontextprotocol/client/_shims': './src/connection/protocol/sdkShims.ts' },
  plugins: [lazyBundles, oneEditorApi],
};

async function main() {
  fs.rmSync(path.join(__dirname, 'dist'), { recursive: true, force: true });
  if (watch) {
    const context = await esbuild.context(options);
    await context.watch();
    return;
  }
  const { metafile } = await esbuild.build(options);
  fs.mkdirSync(path.join(__dirname, 'out'), { recursive: true });
  fs.writeFileSync(path.join(__dirname, 'out', 'meta.json'), JSON.stringify(metafile));
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
