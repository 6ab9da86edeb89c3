import { strict as assert } from 'node:assert';
import type { ServerDefinition } from '../../../../src/api.d.ts';
import { checkDefinition } from '../../../../src/bridge/api/checkDefinition.ts';
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
});
