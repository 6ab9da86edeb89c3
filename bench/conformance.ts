// npm run -s bench -- conformance [--peer NAME …] [--verbose]
//
// How many scenarios for clients of the MCP conformance suite does each client pass? Those of each revision and of its extensions; a
// process for each. The SDK's clients sign in with the providers that the SDK brings; what it has no part for, they fail.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { bundleModule } from '../scripts/lib/bundle-module.mjs';
import { conformance, home, install, node, root, scenariosOf } from '../test/conformance/suite.mjs';
import { report } from './connection/report.ts';

/** The module that is each client, and what it is started with. */
const PEERS: Readonly<Record<string, readonly [source: string, generation?: string]>> = {
  ours: ['test/conformance/client.ts'],
  'sdk v1': ['bench/conformance/bareClient.ts', 'v1'],
  'sdk v2': ['bench/conformance/bareClient.ts', 'v2'],
};

const { values } = parseArgs({
  options: { peer: { type: 'string', multiple: true }, verbose: { type: 'boolean', default: false } },
});

install();
const figures: Record<string, number> = {};
for (const name of values.peer ?? Object.keys(PEERS)) {
  const [source, generation] = PEERS[name] ?? ['', ''];
  const file = path.join(root, 'out', 'bench', 'conformance', `${path.parse(source).name}.mjs`);
  await bundleModule(source, file, { format: 'esm' });
  const command = [node, file, generation].filter((part) => part !== undefined).join(' ');
  let [passed, all] = [0, 0];
  for (const [revision, scenarios] of scenariosOf('client'))
    for (const scenario of scenarios) {
      const version = revision === 'extension' ? [] : ['--spec-version', revision];
      const out = path.join(home, 'out', `${name}-${revision}`.replace(' ', '-'));
      const args = ['client', '--command', command, '--scenario', scenario, ...version, '-o', out];
      const { status, stdout, stderr } = conformance(args);
      all += 1;
      if (status === 0) passed += 1;
      else {
        console.error(`${name}: fails ${revision} ${scenario}`);
        if (values.verbose) console.error(`${stdout}\n${stderr}`);
      }
    }
  [figures[name], figures[`${name} of`]] = [passed, all];
}
report('conformance', figures, { ours: `>= ${figures['ours of'] ?? 0}` });
