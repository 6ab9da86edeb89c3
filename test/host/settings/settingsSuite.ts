import { strict as assert } from 'node:assert';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { EXTENSION_ID } from '../support.ts';
import { callChecks, policyChecks } from './callChecks.ts';
import { run, setting, variable, withSettings, type Checks } from './checks.ts';
import { environmentChecks } from './environmentChecks.ts';
import { Probe } from './probe.ts';
import { outsideChecks } from './outsideChecks.ts';
import { Published, sessionChecks } from './sessionChecks.ts';
import { Cloud, codexHome, Registries, sourceChecks } from './sourceChecks.ts';
import { reconnectChecks, startChecks } from './startChecks.ts';
import { toolChecks } from './toolChecks.ts';

/** Where src reads a variable of the environment by its name. */
const READS = /(?:\b(?:env|environment|hostEnvironment)\[|setting\([^)]*, )'([A-Z][A-Z_]+)'(?!\] = )/g;
/** Those that are the machine's: the machine's tests are in test/unit, where another can be played. */
const OF_THE_MACHINE = [
  ...['APPDATA', 'LOCALAPPDATA', 'PATH', 'PATHEXT', 'PROGRAMFILES', 'SHELL', 'VSCODE_CLI', 'XDG_DATA_HOME'],
  // Where version managers keep Node.
  ...['FNM_DIR', 'MISE_DATA_DIR', 'NVM_DIR', 'NVM_SYMLINK', 'N_PREFIX'],
  // What other tracers read, too.
  'OTEL_EXPORTER_OTLP_HEADERS',
];

export function settingsSuite(): void {
  const probe = new Probe();
  const cloud = new Cloud();
  const registries = new Registries();
  const published = new Published();

  describe('every setting does what it says', () => {
    before(async () => {
      await cloud.open();
      await registries.open();
      process.env['CODEX_HOME'] = codexHome(probe);
      await probe.open();
      await published.open();
      await published.start('probe');
    });
    after(async () => {
      delete process.env['CODEX_HOME'];
      published.close();
      cloud.close();
      registries.close();
      await probe.close();
    });

    const checks: Checks = {
      ...sourceChecks(probe),
      ...cloud.checks(probe),
      ...registries.checks(),
      ...startChecks(probe),
      ...reconnectChecks(probe),
      ...sessionChecks(probe, published),
      ...outsideChecks(probe),
      ...toolChecks(probe),
      ...policyChecks(probe),
      ...callChecks(probe),
    };
    for (const [name, looks] of Object.entries(checks)) {
      it(name, async () => {
        for (const check of [looks].flat()) {
          const body = (): Promise<void> => run(check, (value) => setting(name, value));
          await withSettings({ ...check.with?.(), [name]: check.shows[0]?.[0] }, body);
        }
      });
    }

    const variables = environmentChecks(probe);
    for (const [name, check] of Object.entries(variables)) {
      it(`the variable ${name}`, async () => {
        const before = process.env[name];
        try {
          await withSettings(check.with?.() ?? {}, () =>
            run(check, (value) => variable(name, value === undefined ? undefined : `${value as string | number}`)),
          );
        } finally {
          await variable(name, before);
        }
      });
    }

    it('there is no other setting', () => {
      const manifest = vscode.extensions.getExtension(EXTENSION_ID)?.packageJSON as {
        readonly contributes: { readonly configuration: readonly { readonly properties: object }[] };
      };
      const declared = manifest.contributes.configuration.flatMap(({ properties }) => Object.keys(properties));
      assert.deepEqual(Object.keys(checks).sort(), declared.sort());
    });

    it('there is no other variable of the environment that is read', () => {
      const src = path.join(process.env['SWITCHBOARD_ROOT'] ?? '', 'src');
      const files = fs.readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
      const text = files.map((file) => fs.readFileSync(path.join(src, file), 'utf8')).join('\n');
      const read = new Set([...text.matchAll(READS)].map(([, name = '']) => name));
      assert.deepEqual([...read].sort(), [...Object.keys(variables), ...OF_THE_MACHINE].sort());
    });
  });
}
