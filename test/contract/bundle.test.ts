import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { root } from '../../scripts/lib/paths.mjs';

const LAZY = [
  'addServer',
  'api',
  'approvals',
  'asker',
  'broker',
  'callHistory',
  'cloud',
  'configPlaces',
  'contextStatistics',
  'doctor',
  'failedCalls',
  'gatewayAddress',
  'gateway',
  'hookApproval',
  'hookRunner',
  'hosting',
  'importServers',
  'listTools',
  'managePermissions',
  'managedRules',
  'openResource',
  'parse',
  'participant',
  'planActions',
  'planDocuments',
  'questions',
  'quickFixes',
  'resourceDocuments',
  'lmToolRuns',
  'runPrompt',
  'sampling',
  'sdk',
  'search',
  'searchCommand',
  'serverActions',
  'serverItems',
  'starter',
  'synonyms',
  'toml',
  'toolChanges',
  'validator',
];
const OURS = LAZY.map((name) => `./${name}.js`);

describe('bundles', () => {
  before(function () {
    this.timeout(60_000);
    execFileSync(process.execPath, ['esbuild.js', '--production'], { cwd: root, stdio: 'pipe' });
  });

  after(function () {
    this.timeout(60_000);
    execFileSync(process.execPath, ['esbuild.js'], { cwd: root, stdio: 'pipe' });
  });

  it('are those that are meant to be', () => {
    assert.deepEqual(readdirSync(join(root, 'dist')).sort(), [...LAZY, 'extension'].map((name) => `${name}.js`).sort());
  });

  it('require nothing but the editor, Node and each other', () => {
    const allowed = new Set(['vscode', ...builtinModules, ...builtinModules.map((name) => `node:${name}`), ...OURS]);
    for (const [file, { imports }] of Object.entries(outputs())) {
      const foreign = imports.filter(({ path }) => !allowed.has(path));
      assert.deepEqual(foreign, [], file);
    }
  });

  it('load what is heavy on first use only', () => {
    const { imports } = outputs()['dist/extension.js'] ?? { imports: [] };
    for (const bundle of OURS) {
      const kinds = imports.filter(({ path }) => path === bundle).map(({ kind }) => kind);
      // What other extensions ask for can't wait for a promise.
      assert.deepEqual([...new Set(kinds)], [bundle === './api.js' ? 'require-call' : 'dynamic-import'], bundle);
    }
  });

  it('keep activation small', () => {
    const bytes = readFileSync(join(root, 'dist', 'extension.js')).byteLength;
    assert.ok(bytes < 135_000, `${bytes} bytes`);
  });

  it('keep Ajv out of the SDK', () => {
    const inputs = Object.keys(outputs()['dist/sdk.js']?.inputs ?? {});
    assert.ok(inputs.length > 0);
    assert.deepEqual(
      inputs.filter((input) => /node_modules\/ajv/.test(input)),
      [],
    );
  });
});

interface Output {
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly imports: readonly { readonly path: string; readonly kind: string }[];
}

/** The bundles by path, as the bundler saw them: what each is made of, and what it requires at run time. */
function outputs(): Readonly<Record<string, Output>> {
  const text = readFileSync(join(root, 'out', 'meta.json'), 'utf8');
  return (JSON.parse(text) as { outputs: Record<string, Output> }).outputs;
}
