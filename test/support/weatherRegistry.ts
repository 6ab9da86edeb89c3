import { createHash } from 'node:crypto';
import { McpRegistry, published } from './mcpRegistry.ts';
import { zip } from './zip.ts';

/** A server in one file without dependencies: a tool that says what it was set up with. */
const SERVER = `
const lines = require('node:readline').createInterface({ input: process.stdin });
const answer = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
const tool = { name: 'forecast', description: 'The weather in ' + process.argv[2], inputSchema: { type: 'object' } };
lines.on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === 'initialize')
    return answer(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'weather', version: '1' } });
  if (method === 'tools/list') return answer(id, { tools: process.env.WEATHER_KEY === 's3cret-key' ? [tool] : [] });
  if (method === 'ping') return answer(id, {});
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'unknown' } }) + '\\n');
});
`;

/** A bundle (MCPB) that takes a secret and a text. */
export function weatherBundle(): Buffer {
  const manifest = {
    manifest_version: '0.3',
    name: 'weather-bundle',
    display_name: 'Weather Bundle',
    version: '1.0.0',
    description: 'Weather, packed',
    author: { name: 'Acme' },
    server: {
      type: 'node',
      entry_point: 'server/index.js',
      mcp_config: {
        command: 'node',
        args: ['${__dirname}/server/index.js', '${user_config.city}'],
        env: { WEATHER_KEY: '${user_config.key}' },
      },
    },
    user_config: {
      city: { type: 'string', title: 'City', description: 'Where', required: true },
      key: { type: 'string', title: 'Key', sensitive: true, required: true },
    },
  };
  return zip([
    { name: 'manifest.json', data: JSON.stringify(manifest) },
    { name: 'server/index.js', data: SERVER },
  ]);
}

const TEXT = '\u202Ereversed $(trash) [link](command:workbench.action.quit)';

/** A registry with servers of every kind, some of them hostile. */
export async function openWeatherRegistry(): Promise<McpRegistry> {
  const registry = await McpRegistry.open('/mirror');
  registry.files.set('/weather.mcpb', weatherBundle());
  publishWeather(registry, '1.0.0');
  return registry;
}

/** @param newest the latest version of `com.acme/weather` */
export function publishWeather(registry: McpRegistry, newest: '1.0.0' | '2.0.0'): void {
  const sha256 = createHash('sha256').update(weatherBundle()).digest('hex');
  const weather = (version: string): object =>
    published({
      name: 'com.acme/weather',
      title: 'Acme Weather',
      description: 'Forecasts for any city',
      version,
      repository: { url: 'https://github.com/acme/weather', source: 'github' },
      packages: [
        {
          registryType: 'npm',
          identifier: '@acme/weather',
          version,
          transport: { type: 'stdio' },
          packageArguments: [
            { type: 'named', name: '--units', default: 'metric', choices: ['metric', 'imperial'] },
            { type: 'positional', valueHint: 'city', isRequired: true, description: 'City to start with' },
          ],
          environmentVariables: [
            { name: 'WEATHER_KEY', isRequired: true, isSecret: true, description: 'Key of your account' },
          ],
        },
      ],
      remotes: [{ type: 'streamable-http', url: 'https://mcp.acme.example/mcp' }],
    });
  registry.publish(
    ...(newest === '2.0.0' ? [weather('2.0.0')] : []),
    weather('1.0.0'),
    published({
      name: 'com.acme/packed',
      title: 'Packed Weather',
      description: 'The same as a bundle',
      version: '1.0.0',
      packages: [
        {
          registryType: 'mcpb',
          identifier: `${registry.origin}/weather.mcpb`,
          version: '1.0.0',
          fileSha256: sha256,
          transport: { type: 'stdio' },
        },
      ],
    }),
    published(
      {
        name: 'evil.example/odd',
        title: TEXT,
        description: TEXT,
        version: '1.0.0',
        remotes: [{ type: 'sse', url: 'https://evil.example/sse' }],
      },
      { status: 'deprecated', statusMessage: TEXT },
    ),
    published(
      {
        name: 'com.acme/deleted',
        description: 'Gone',
        version: '1.0.0',
        remotes: [{ type: 'sse', url: 'https://h/sse' }],
      },
      { status: 'deleted' },
    ),
    { server: { name: 7 } },
    ...Array.from({ length: 60 }, (_, index) =>
      published({
        name: `org.many/server-${index}`,
        description: `Number ${index}`,
        version: '1.0.0',
        remotes: [{ type: 'streamable-http', url: `https://h${index}.example/mcp` }],
      }),
    ),
  );
}
