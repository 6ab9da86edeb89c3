import assert from 'node:assert/strict';
import type { TransportSpec } from '../../../../src/config/configTypes.ts';
import {
  answersFor,
  answersIn,
  isKept,
  isNewer,
  isSameHost,
  optionOf,
  ownPairs,
  sameOption,
} from '../../../../src/config/registry/registryUpdate.ts';
import { serverOptions, type ServerOption } from '../../../../src/config/registry/serverJson.ts';
import { faultOf, type SetupAnswers } from '../../../../src/config/registry/setupQuestions.ts';
import { parseSource } from '../../../../src/config/read/parseSource.ts';
import { sourceOf } from '../sources.ts';

const optionsOf = (server: object): readonly ServerOption[] =>
  serverOptions({ name: 'com.acme/weather', version: '1.0.0', ...server }, 'weather');
const optionFor = (server: object): ServerOption => optionsOf(server)[0] ?? assert.fail();
const packaged = (more: object): ServerOption =>
  optionFor({
    packages: [
      { registryType: 'npm', identifier: '@acme/weather', version: '1.0.0', transport: { type: 'stdio' }, ...more },
    ],
  });
const lineOf = (option: ServerOption, answers: SetupAnswers = new Map()): string => {
  const { value } = option.build(answers);
  const words = [value['command'] ?? value['url'], ...((value['args'] ?? []) as string[])];
  const pairs = { ...(value['env'] as Record<string, string>), ...(value['headers'] as Record<string, string>) };
  return [...words, ...Object.entries(pairs).map(([name, text]) => `${name}=${text}`)].join(' ');
};
const answers = (values: Readonly<Record<string, string | readonly string[]>>): SetupAnswers =>
  new Map(Object.entries(values).map(([id, value]) => [id, typeof value === 'string' ? [value] : value]));

describe('config/serverJson', () => {
  it('asks for what a server takes, optional values too, and leaves out what is left empty', () => {
    const option = packaged({
      packageArguments: [
        { type: 'named', name: '--units', default: 'metric', choices: ['metric', 'imperial'] },
        { type: 'named', name: '--verbose', format: 'boolean', description: 'Say more' },
        { type: 'positional', valueHint: 'city', isRequired: true, isRepeated: true },
      ],
      environmentVariables: [
        { name: 'WEATHER_KEY', isRequired: true, isSecret: true, description: 'Your key' },
        { name: 'PROXY', placeholder: 'https://…' },
        { name: 'PORT', format: 'number', default: '80' },
        { name: 'FIXED', value: 'x' },
      ],
    });
    assert.deepEqual(
      option.questions.map(({ id, kind, isRequired, isSecret, isRepeated, defaults }) =>
        [id, kind, isRequired, isSecret, isRepeated, ...defaults].join(' '),
      ),
      [
        'weather-key text true true false',
        'weather-proxy text false false false',
        'weather-port number false false false 80',
        'weather-units text false false false metric',
        'weather-verbose boolean false false false',
        'weather-city text true false true',
      ],
    );
    assert.equal(lineOf(option), 'npx -y @acme/weather@1.0.0 FIXED=x');
    const given = answers({
      'weather-key': 's3cret',
      'weather-proxy': '',
      'weather-port': '81',
      'weather-units': 'imperial',
      'weather-verbose': 'true',
      'weather-city': ['Bern', 'Basel'],
    });
    assert.equal(
      lineOf(option, given),
      'npx -y @acme/weather@1.0.0 --units imperial --verbose Bern Basel WEATHER_KEY=${input:weather-key} PORT=81 FIXED=x',
    );
    const built = option.build(given);
    assert.deepEqual(built.inputs, [
      { id: 'weather-key', description: 'Your key', type: 'promptString', password: true },
    ]);
    assert.deepEqual([...built.secrets], [['weather-key', 's3cret']]);
    assert.ok(!JSON.stringify(built.value).includes('s3cret'));
  });

  // Reports of other hosts' users.
  const REPORTS: readonly (readonly [string, object, SetupAnswers, string])[] = [
    [
      'microsoft/apm#1391: runtimeArguments with variables are kept',
      {
        registryType: 'oci',
        identifier: 'ghcr.io/acme/playwright:1.2.3',
        runtimeHint: 'docker',
        runtimeArguments: [
          { type: 'positional', value: '-v' },
          {
            type: 'positional',
            value: '{workdir}:/work',
            variables: { workdir: { isRequired: true, format: 'filepath' } },
          },
        ],
      },
      answers({ 'weather-workdir': '/home/me' }),
      'docker run -i --rm -v /home/me:/work ghcr.io/acme/playwright:1.2.3',
    ],
    [
      'microsoft/apm#2438: a variable is asked for in spite of its default, and fills every argument that names it',
      {
        registryType: 'oci',
        identifier: 'acme/x:1',
        runtimeArguments: [
          { type: 'positional', value: 'run' },
          {
            type: 'named',
            name: '-v',
            value: '{workdir}:{workdir}',
            variables: { workdir: { isRequired: true, default: '/tmp' } },
          },
          { type: 'named', name: '-w', value: '{workdir}' },
        ],
      },
      answers({ 'weather-workdir': '/src' }),
      'docker run -i --rm -v /src:/src -w /src acme/x:1',
    ],
    [
      'microsoft/apm#2376: an image runs with docker, never with npx',
      {
        registryType: 'oci',
        identifier: 'acme/x',
        version: '1.0.0',
        runtimeHint: 'npx',
        runtimeArguments: [
          { type: 'positional', value: 'run' },
          { type: 'named', name: '--rm' },
          { type: 'named', name: '-i' },
        ],
      },
      new Map(),
      'docker run -i --rm acme/x:1.0.0',
    ],
    [
      'tastytrade/tastytrade-mcp#6, agntcy/oasf-sdk#132: `run` isn’t doubled',
      {
        registryType: 'oci',
        identifier: 'ghcr.io/t/x:1',
        runtimeArguments: ['run', '-i', '--rm'].map((value) => ({ type: 'positional', value })),
      },
      new Map(),
      'docker run -i --rm ghcr.io/t/x:1',
    ],
    [
      'SonarSource/sonarqube-mcp-server#95: a digest as a version',
      {
        registryType: 'oci',
        registryBaseUrl: 'https://docker.io',
        identifier: 'mcp/sonarqube',
        version: 'sha256:1f83',
      },
      new Map(),
      'docker run -i --rm mcp/sonarqube@sha256:1f83',
    ],
    [
      'a package of a private registry',
      { registryBaseUrl: 'https://npm.acme.example/' },
      new Map(),
      'npx -y --registry=https://npm.acme.example/ @acme/weather@1.0.0',
    ],
    [
      'the words of a .NET tool are its own',
      {
        registryType: 'nuget',
        identifier: 'Acme.Weather',
        packageArguments: [
          { type: 'positional', value: 'mcp' },
          { type: 'positional', value: 'start' },
        ],
      },
      new Map(),
      'dnx Acme.Weather@1.0.0 --yes -- mcp start',
    ],
    [
      'an image of another host',
      { registryType: 'oci', registryBaseUrl: 'https://ghcr.io', identifier: 'acme/x' },
      new Map(),
      'docker run -i --rm ghcr.io/acme/x:1.0.0',
    ],
    [
      'Python, by pipx',
      { registryType: 'pypi', identifier: 'acme', runtimeHint: 'pipx' },
      new Map(),
      'pipx run acme==1.0.0',
    ],
  ];
  for (const [title, given, filled, line] of REPORTS)
    it(title, () => {
      const option = packaged(given);
      assert.equal(option.refusal, undefined);
      assert.equal(lineOf(option, filled), line);
    });

  it('pipx takes a package from where it is said to be, too', () => {
    const given = {
      registryType: 'pypi',
      identifier: 'acme',
      runtimeHint: 'pipx',
      registryBaseUrl: 'https://pypi.acme.example/simple',
    };
    assert.equal(lineOf(packaged(given)), 'pipx run --index-url https://pypi.acme.example/simple acme==1.0.0');
  });

  it('a stranger’s manifest chooses no program, no option and no address without https', () => {
    assert.equal(lineOf(packaged({ runtimeHint: '/tmp/evil' })), 'npx -y @acme/weather@1.0.0');
    for (const bad of [
      { identifier: '--call=evil' },
      { identifier: 'a b' },
      { identifier: 'a\u0000' },
      { version: '1.0.0 --evil' },
      ...[
        'git+https://a.example/x',
        'https://a.example/x.tgz',
        'acme/x',
        '../x',
        './x',
        '/tmp/x',
        'x@npm:y',
        'C:\\x',
      ].map((identifier) => ({ identifier })),
      ...['npm:evil@1', 'https://a.example/x.tgz', 'file:x', '../x'].map((version) => ({ version })),
      ...['git+https://a.example/x', './x', 'acme/x'].map((identifier) => ({ registryType: 'pypi', identifier })),
      { registryType: 'nuget', identifier: 'https://a.example/x' },
      { registryBaseUrl: 'http://npm.acme.example' },
      { registryType: 'cargo' },
      { registryType: '__proto__' },
      { transport: { type: 'streamable-http', url: 'http://localhost:1/mcp' } },
      { registryType: 'mcpb', identifier: 'https://acme.example/x.mcpb' },
      { registryType: 'mcpb', identifier: 'http://acme.example/x.mcpb', fileSha256: 'a'.repeat(64) },
      { registryType: 'mcpb', identifier: 'file:///x.mcpb', fileSha256: 'a'.repeat(64) },
    ])
      assert.notEqual(packaged(bad).refusal, undefined, JSON.stringify(bad));
    for (const good of [
      { identifier: 'weather' },
      { identifier: '@acme/weather.mcp', version: '1.0.0-rc.1+build' },
      { registryType: 'pypi', identifier: 'acme[all]' },
      { registryType: 'nuget', identifier: 'Acme.Weather' },
      { registryType: 'oci', identifier: 'ghcr.io/acme/weather:1', version: 'sha256:00' },
    ])
      assert.equal(packaged(good).refusal, undefined, JSON.stringify(good));
    const bundle = packaged({
      registryType: 'mcpb',
      identifier: 'https://acme.example/x.mcpb',
      fileSha256: 'A'.repeat(64),
    });
    assert.deepEqual(bundle.bundle, { url: 'https://acme.example/x.mcpb', sha256: 'a'.repeat(64) });
  });

  it('an address with variables and headers', () => {
    const option = optionFor({
      remotes: [
        {
          type: 'streamable-http',
          url: 'https://{region}.acme.example/{tenant}/mcp?x={unknown}',
          variables: { region: { default: 'eu', choices: ['eu', 'us'] }, tenant: { isRequired: true } },
          headers: [
            { name: 'Authorization', value: 'Bearer {token}', variables: { token: { isSecret: true } } },
            { name: 'X-Org', isRequired: false },
          ],
        },
      ],
    });
    const given = answers({ 'weather-region': 'us', 'weather-tenant': 't1', 'weather-token': 'abc' });
    assert.equal(
      lineOf(option, given),
      'https://us.acme.example/t1/mcp?x={unknown} Authorization=Bearer ${input:weather-token}',
    );
  });

  it('malformed parts of a server.json cost nothing else', () => {
    for (const odd of [
      null,
      7,
      'x',
      [],
      {},
      { identifier: 7 },
      { environmentVariables: 'x', identifier: 'a', registryType: 'npm' },
    ])
      assert.doesNotThrow(() =>
        optionsOf({ packages: [odd], remotes: [odd] }).map((option) => option.build(new Map())),
      );
    assert.ok(optionsOf({ remotes: Array.from({ length: 10_000 }, () => ({ url: 'https://h' })) }).length <= 30);
  });

  it('an endless entry costs no time', () => {
    const start = performance.now();
    const many = packaged({ environmentVariables: Array.from({ length: 50_000 }, () => ({ name: 'A' })) });
    assert.equal(many.questions.length, 100);
    assert.equal(new Set(many.questions.map(({ id }) => id)).size, 100);
    const long = optionFor({
      remotes: [{ url: `https://h/${'{a}'.repeat(3_000)}`, variables: { a: { value: 'x'.repeat(9_000) } } }],
    });
    assert.match(long.refusal ?? '', /too long/);
    assert.ok(JSON.stringify(long.build(new Map()).value).length < 30_000);
    assert.deepEqual(optionsOf({ remotes: [{ url: `https://h/${'{a}'.repeat(200_000)}` }] }), []);
    assert.ok(performance.now() - start < 2_000);
  });

  it('answers are checked', () => {
    const base = { id: 'a', label: 'a', isRequired: false, isSecret: false, isRepeated: false, defaults: [] };
    for (const [question, answer, isRight] of [
      [{ ...base, kind: 'number', min: 1, max: 5 }, '6', false],
      [{ ...base, kind: 'number', min: 1, max: 5 }, '5', true],
      [{ ...base, kind: 'number' }, 'x', false],
      [{ ...base, kind: 'boolean' }, 'yes', false],
      [{ ...base, kind: 'text', isRequired: true }, '', false],
      [{ ...base, kind: 'text' }, '', true],
      [{ ...base, kind: 'text', choices: ['a'] }, 'b', false],
    ] as const)
      assert.equal(faultOf(question, answer) === undefined, isRight, `${JSON.stringify(question)} ${answer}`);
  });
});

describe('config/registryUpdate', () => {
  const version = (number: string, more: object = {}): object => ({
    packages: [
      {
        registryType: 'npm',
        identifier: '@acme/weather',
        version: number,
        packageArguments: [
          { type: 'named', name: '--units', default: 'metric' },
          { type: 'positional', valueHint: 'city', isRequired: true },
        ],
        environmentVariables: [
          { name: 'KEY', isRequired: true, isSecret: true },
          { name: 'PROXY' },
          { name: 'URL', value: 'https://{host}/x', variables: { host: {} } },
        ],
        ...more,
      },
    ],
  });
  const transportOf = (option: ServerOption, given: SetupAnswers): TransportSpec => {
    const { value, inputs } = option.build(given);
    const text = JSON.stringify({ inputs, mcpServers: { weather: value } });
    return parseSource(sourceOf(), text).entries[0]?.transport ?? assert.fail();
  };

  it('an update keeps what was answered, and takes the new version', () => {
    const was = optionFor(version('1.0.0'));
    const given = answers({
      'weather-units': 'imperial',
      'weather-city': 'Bern',
      'weather-key': 's3cret',
      'weather-host': 'h.example',
    });
    const transport = transportOf(was, given);
    const next =
      sameOption(optionsOf(version('2.0.0', { runtimeArguments: [{ type: 'named', name: '--quiet' }] })), was) ??
      assert.fail();
    assert.equal(
      lineOf(next, answersIn(transport, was).answers),
      'npx --quiet -y @acme/weather@2.0.0 --units imperial Bern KEY=${input:weather-key} URL=https://h.example/x',
    );
    assert.equal(optionOf(optionsOf(version('9.9.9')), transport)?.kind, 'npm');
  });

  it('what was left empty stays so', () => {
    const was = optionFor(version('1.0.0'));
    const transport = transportOf(was, answers({ 'weather-city': 'Bern' }));
    const { answers: found, isExact } = answersIn(transport, was);
    assert.ok(isExact);
    assert.deepEqual([...found], [['weather-city', ['Bern']]]);
  });

  it('an address keeps its place, and another package is none', () => {
    const remote = (url: string): object => ({
      remotes: [
        { type: 'streamable-http', url },
        { type: 'sse', url: 'https://h/sse' },
      ],
    });
    const was = optionFor(remote('https://old.example/mcp'));
    assert.equal(sameOption(optionsOf(remote('https://old.example/v2')), was)?.label, 'https://old.example/v2');
    // What is secret goes to no other host.
    assert.equal(sameOption(optionsOf(remote('https://new.example/mcp')), was), undefined);
    const far = (url: string): TransportSpec => ({ type: 'http', url, headers: {} });
    assert.equal(optionOf(optionsOf(remote('https://old.example/mcp')), far('https://new.example/mcp')), undefined);
    assert.ok(!isSameHost(far('https://old.example/mcp'), far('https://new.example/mcp')));
    assert.ok(isSameHost(far('https://old.example/mcp'), far('https://old.example/v2')));
    assert.equal(sameOption(optionsOf(version('2.0.0')), was), undefined);
    assert.equal(
      sameOption(optionsOf(version('2.0.0', { identifier: '@evil/weather' })), optionFor(version('1.0.0'))),
      undefined,
    );
  });

  const LINE = version('1.0.0', {
    packageArguments: [
      { type: 'named', name: '--read-only', format: 'boolean', description: 'Writes nothing' },
      { type: 'named', name: '--tag', isRepeated: true, description: 'Tags' },
      { type: 'positional', valueHint: 'folder', isRequired: true, isRepeated: true },
      { type: 'positional', valueHint: 'limit' },
    ],
  });
  for (const [title, values] of [
    ['a positional argument before an empty one', { 'weather-folder': '/a' }],
    ['a switch', { 'weather-read-only': 'true', 'weather-folder': '/a', 'weather-limit': '5' }],
    ['repeated arguments', { 'weather-tag': ['a', 'b'], 'weather-folder': ['/a', '/b', '/c'] }],
  ] as const)
    it(`an update keeps the command line: ${title}`, () => {
      const was = optionFor(LINE);
      const given = answers(values);
      const found = answersIn(transportOf(was, given), was);
      assert.ok(found.isExact);
      assert.equal(lineOf(was, found.answers), lineOf(was, given));
    });

  it('what was changed by hand is seen, and what was added beside is kept', () => {
    const was = optionFor(LINE);
    const transport = transportOf(was, answers({ 'weather-folder': '/a', 'weather-proxy': 'p' }));
    assert.ok(transport.type === 'stdio');
    const own = { ...transport, env: { ...transport.env, MINE: '1' } };
    assert.ok(answersIn(own, was).isExact);
    assert.deepEqual(ownPairs(own, was), { MINE: '1' });
    for (const changed of [
      { ...transport, args: ['--inspect', ...transport.args] },
      { ...transport, command: '/opt/npx' },
    ]) {
      const found = answersIn(changed, was);
      assert.ok(!found.isExact);
      // Nothing is guessed of the words without a name.
      assert.deepEqual([...found.answers], [['weather-proxy', ['p']]]);
    }
  });

  it('a value that is secret no longer is asked for anew', () => {
    const was = optionFor(version('1.0.0'));
    const transport = transportOf(was, answers({ 'weather-city': 'Bern', 'weather-key': 's3cret' }));
    const { answers: found } = answersIn(transport, was);
    assert.ok(isKept(found.get('weather-key')?.[0]));
    const next = optionFor(version('2.0.0', { environmentVariables: [{ name: 'KEY', isRequired: true }] }));
    assert.deepEqual([...answersFor(next, found)], [['weather-city', ['Bern']]]);
    assert.ok(answersFor(was, found).has('weather-key'));
  });

  it('a package whose name begins alike is another', () => {
    const [short, long] = ['@acme/mcp', '@acme/mcp-admin'];
    const both = optionsOf({
      packages: [short, long].map((identifier) => ({ registryType: 'npm', identifier, version: '1.0.0' })),
    });
    for (const word of ['@acme/mcp-admin@1', '@acme/mcp-admin', '@acme/mcp-admin==1'])
      assert.equal(
        optionOf(both, { type: 'stdio', command: 'npx', args: ['-y', word], env: {} })?.label,
        `${long} 1.0.0`,
      );
  });

  it('an older version is no update', () => {
    for (const [version, than, isRight] of [
      ['1.10.0', '1.9.0', true],
      ['1.9.0', '1.10.0', false],
      ['1.0.0', '1.0.0', false],
      ['1.0.0', '1.0.0-rc.2', true],
      ['1.0.0-rc.10', '1.0.0-rc.9', true],
      ['1.0.0-rc.1', '1.0.0', false],
      ['latest', '1.0.0', true],
      ['1.0.0', undefined, true],
    ] as const)
      assert.equal(isNewer(version, than), isRight, `${version} ${than}`);
  });
});
