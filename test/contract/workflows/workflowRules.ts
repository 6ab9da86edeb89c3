import { loadAll } from 'js-yaml';

/** What a job may use: actions of GitHub itself. Others run with all that the job may do. */
const ACTIONS = new Set([
  'actions/checkout',
  'actions/setup-node',
  'actions/upload-artifact',
  'actions/download-artifact',
  'actions/attest-build-provenance',
  'actions/dependency-review-action',
]);
/** `pull_request_target` and `workflow_run` give a stranger's code this repository's rights. */
const EVENTS = ['push', 'pull_request', 'merge_group', 'schedule', 'workflow_dispatch'];
/** Machines of GitHub, new for each job. */
const MACHINES = ['ubuntu-latest', 'macos-latest', 'windows-latest'];
/** No `defaults`, `env`, `shell`, `container`, `services` or `secrets`: each changes what a step is. */
const KEYS = {
  workflow: ['name', 'on', 'permissions', 'concurrency', 'jobs'],
  job: 'name needs runs-on timeout-minutes permissions environment strategy continue-on-error outputs steps'.split(' '),
  step: ['id', 'uses', 'with', 'run', 'env', 'if'],
  checkout: ['persist-credentials', 'fetch-depth'],
};
const PERMISSIONS = new Set(['contents: read', 'contents: write', 'attestations: read', 'attestations: write', 'id-token: write']); // prettier-ignore
/** What a job may run that publishes or writes: none of them installs a package that runs a script. */
const WITH_RIGHTS = ['verify-release', 'publish-to', 'announce'];
const VARIABLES = ['VSCODE_VERSION: ${{ matrix.editor }}', 'GH_TOKEN: ${{ github.token }}'];
/** Nothing that a stranger writes: no title, branch, message or name. */
const EXPRESSIONS = [
  /^matrix\.(?:os|editor|marketplace)$/,
  /^matrix\.editor == 'insiders'$/,
  /^github\.(?:ref|run_id|token)$/,
  /^github\.event_name == 'pull_request'(?: && github\.ref \|\| github\.run_id)?$/,
  /^(?:needs\.package\.outputs\.artifact|steps\.upload\.outputs\.artifact-id)$/,
];
const CONDITIONS = ['failure()', "matrix.editor == 'stable'"];
/** A script of package.json and its arguments: words, the tag's name in quotes, and values of the matrix, which are words. */
const CALL = /^npm (?:run (?:-s )?)?([\w:-]+)(?: --(?: (?:[\w./:=-]+|"\$GITHUB_REF_NAME"|\$\{\{ matrix\.\w+ \}\}))+)?$/;

type Values = Readonly<Record<string, unknown>>;
interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Values;
  readonly env?: Values;
  readonly if?: string | boolean;
}
export interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly needs?: string | readonly string[];
  readonly strategy?: { readonly matrix?: Readonly<Record<string, readonly unknown[]>> };
  readonly 'runs-on'?: unknown;
  readonly 'timeout-minutes'?: unknown;
  readonly steps: readonly Step[];
}
export interface Workflow {
  readonly on: Values;
  readonly permissions: unknown;
  readonly concurrency?: { readonly group: string };
  readonly jobs: Readonly<Record<string, Job>>;
}

export function readWorkflow(text: string): Workflow {
  return (loadAll(text, null) as [Workflow])[0];
}

/**
 * What of a workflow is against the rules of this repository: least rights, listed actions by their digest, nothing that a stranger
 * writes in it, and no logic of its own.
 * @param scripts those of package.json
 */
export function workflowFaults(text: string, scripts: Values): string[] {
  const workflow = readWorkflow(text);
  const jobs = Object.entries(workflow.jobs);
  const { permissions, concurrency } = workflow;
  return [
    ...unlisted(workflow, KEYS.workflow, 'the workflow'),
    ...unlisted(workflow.on, EVENTS, 'its events'),
    ...(JSON.stringify(permissions) === '{}'
      ? []
      : ['The workflow has permissions of its own: each job names its own.']),
    // In one group for all, the third of them drops the second.
    ...(!concurrency || /\bgithub\.(?:ref|run_id)\b/.test(concurrency.group) ? [] : ['One group for all runs.']),
    ...[...text.matchAll(/\$\{\{(.*?)\}\}/gs)]
      .map(([, expression = '']) => expression.trim())
      .filter((expression) => !EXPRESSIONS.some((listed) => listed.test(expression)))
      .map((expression) => `The expression ${expression} isn’t listed.`),
    ...jobs.flatMap(([name, job]) => [
      ...jobFaults(job, Object.keys(workflow.on)).map((fault) => `${name}: ${fault}`),
      ...job.steps.flatMap((step) => stepFaults(step, text, scripts)).map((fault) => `${name}: ${fault}`),
    ]),
  ];
}

function jobFaults(job: Job, events: readonly string[]): string[] {
  const permissions = Object.entries(job.permissions ?? {}).map(([scope, right]) => `${scope}: ${right}`);
  const matrix = job.strategy?.matrix ?? {};
  const machines = job['runs-on'] === '${{ matrix.os }}' ? (matrix['os'] ?? [undefined]) : [job['runs-on']];
  const mayWrite = permissions.some((permission) => permission.endsWith(': write'));
  const called = job.steps.flatMap(({ run }) => run ?? []).map((run) => CALL.exec(run)?.[1] ?? run);
  return [
    ...unlisted(job, KEYS.job, 'a job'),
    ...(permissions.length > 0 ? [] : ['It names no permissions.']),
    ...permissions.filter((each) => !PERMISSIONS.has(each)).map((each) => `The permission ${each} isn’t listed.`),
    ...(mayWrite && events.join() !== 'push'
      ? ['What may write comes from this repository’s own branches and tags.']
      : []),
    ...(mayWrite
      ? called.filter((script) => !WITH_RIGHTS.includes(script)).map((each) => `${each} runs with rights.`)
      : []),
    ...(typeof job['timeout-minutes'] === 'number' ? [] : ['It has no limit of time.']),
    ...machines
      .filter((each) => !MACHINES.includes(String(each)))
      .map((each) => `The machine ${String(each)} isn’t listed.`),
    ...Object.values(matrix)
      .flat()
      .filter((value) => typeof value !== 'string' || !/^[\w.-]+$/.test(value))
      .map((value) => `The matrix has ${JSON.stringify(value)}, which is no word.`),
  ];
}

function stepFaults(step: Step, text: string, scripts: Values): string[] {
  const { uses, run, with: inputs = {}, env = {} } = step;
  const variables = Object.entries(env).map(([name, value]) => `${name}: ${String(value)}`);
  const faults = [
    ...unlisted(step, KEYS.step, 'a step'),
    ...variables.filter((each) => !VARIABLES.includes(each)).map((each) => `The variable ${each} isn’t listed.`),
    ...(step.if === undefined || CONDITIONS.includes(String(step.if))
      ? []
      : [`The condition ${String(step.if)} isn’t listed.`]),
  ];
  if (run !== undefined) return [...faults, ...callFaults(run, scripts)];
  const [, action = '', digest = ''] = /^([^@]*)@([0-9a-f]{40})$/.exec(uses ?? '') ?? [];
  if (!ACTIONS.has(action)) return [...faults, `${uses} isn’t a listed action by its digest.`];
  const isVersionSaid = text
    .split('\n')
    .some((line) => line.includes(`@${digest} # v`) && /# v\d+\.\d+\.\d+$/.test(line));
  if (!isVersionSaid) faults.push(`${uses} has no version beside it.`);
  if (action !== 'actions/checkout') return faults;
  if (inputs['persist-credentials'] !== false) faults.push('The checkout leaves its token to each step.');
  return [...faults, ...unlisted(inputs, KEYS.checkout, 'a checkout')];
}

function callFaults(run: string, scripts: Values): string[] {
  const script = CALL.exec(run)?.[1];
  const isKnown = run === '.ci/run' || (script !== undefined && Object.hasOwn(scripts, script));
  return isKnown ? [] : [`\`${run}\` isn’t one call of a script.`];
}

function unlisted(values: object, listed: readonly string[], what: string): string[] {
  const others = Object.keys(values).filter((key) => !listed.includes(key));
  return others.map((key) => `${key} of ${what} isn’t listed.`);
}
