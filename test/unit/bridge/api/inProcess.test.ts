import { strict as assert } from 'node:assert';
import type { ServerDefinition } from '../../../../src/api.d.ts';
import { checkDefinition } from '../../../../src/bridge/api/checkDefinition.ts';
import { createServer } from '../../../../bench/scale/manyTools.ts';
import { TestHost } from '../../../support/testHost.ts';

const EXTENSION = 'a.b';
const never = (): Promise<never> => new Promise(() => undefined);
const fails = (): never => {
  throw new Error('broken');
};

/** What an extension may give as a server, and what becomes of it. */
const FACTORIES: Readonly<Record<string, readonly [create: () => unknown, what: RegExp]>> = {
  throws: [fails, /a\.b could not make its server throws: broken/],
  hangs: [never, /The extension that provides hangs did not create it within 0\.5 s/],
  nothing: [() => undefined, /a\.b gave nothing that is a server/],
  'answers-never': [() => ({ fetch: never }), /handshake/],
  'answers-wrong': [() => ({ fetch: () => 5 }), /isn't MCP/],
  'answers-badly': [() => ({ fetch: fails }), /connection/],
  'connects-never': [() => ({ connect: never }), /handshake/],
  'connects-badly': [() => ({ connect: fails }), /handshake: broken/],
};

describe('bridge/api: servers in an extension', function () {
  this.timeout(30_000);
  let rig: TestHost;

  before(async () => {
    rig = new TestHost({ settings: { handshakeTimeoutMs: 500, localConcurrency: 1 } });
    await rig.host.start();
    for (const [name, [createServer]] of Object.entries(FACTORIES)) {
      const definition = checkDefinition({ name, createServer } as unknown as ServerDefinition, EXTENSION);
      const { transport, create } = definition;
      rig.host.servers.addForExtension({ id: EXTENSION, label: EXTENSION }, name, transport, create);
    }
    await rig.host.servers.approve(rig.host.views.map(({ definition }) => definition.id));
  });
  after(() => rig.stop());

  for (const [name, [, what]] of Object.entries(FACTORIES))
    it(`one that ${name.replace('-', ' ')} costs itself alone, and it is said why`, async () => {
      let said = '';
      await rig.until(() => {
        const state = rig.host.views.find(({ definition }) => definition.name === name)?.state;
        if (state && 'failure' in state) said = state.failure?.message ?? '';
        return said !== '';
      });
      assert.match(said, what);
    });

  it('one that changes what it gave changes nothing of what was checked', async () => {
    const inputSchema = { type: 'object', properties: { path: { type: 'string', description: 'A path.' } } };
    const server = createServer(0, 1).inProcess;
    if (server.kind !== 'transport') throw new Error('it is no transport');
    const connect = async (transport: { send(message: unknown): Promise<void> }): Promise<void> => {
      const send = transport.send.bind(transport);
      transport.send = async (message) => {
        const { result } = message as { result?: { tools?: { inputSchema: unknown }[] } };
        for (const tool of result?.tools ?? []) tool.inputSchema = inputSchema;
        await send(message);
      };
      await server.connect(transport);
    };
    const { name, transport, create } = checkDefinition(
      { name: 'changes', createServer: async () => ({ connect }) },
      EXTENSION,
    );
    const id = rig.host.servers.addForExtension({ id: EXTENSION, label: EXTENSION }, name, transport, create);
    await rig.host.servers.approve([id]);
    await rig.until(() => rig.host.catalog.tools.length === 1);
    const tool = rig.host.catalog.tools[0];
    assert.deepEqual(tool?.tool.inputSchema['properties'], inputSchema.properties);
    inputSchema.properties.path.description = 'Another.';
    assert.match(JSON.stringify(tool.tool.inputSchema), /A path\./);
  });
});
