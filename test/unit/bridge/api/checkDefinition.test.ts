import assert from 'node:assert/strict';
import type { ServerDefinition } from '../../../../src/api.d.ts';
import type { SwitchboardError } from '../../../../src/base/errors.ts';
import { checkDefinition } from '../../../../src/bridge/api/checkDefinition.ts';

const check = (definition: unknown): ReturnType<typeof checkDefinition> =>
  checkDefinition(definition as ServerDefinition, 'me.mine');
const refuses = (definition: unknown, message: RegExp): void =>
  assert.throws(
    () => check(definition),
    (error: SwitchboardError) => error.code === 'invalid-arguments' && message.test(error.message),
  );

describe('bridge/api/definition', () => {
  it('takes a process, an address and a server in this process', () => {
    assert.deepEqual(check({ name: 'a', command: 'x', args: ['y'], env: { A: '1' }, cwd: '/z', more: 1 }), {
      name: 'a',
      transport: { type: 'stdio', command: 'x', args: ['y'], env: { A: '1' }, cwd: '/z' },
    });
    assert.deepEqual(check({ name: 'a', url: 'https://x' }).transport, { type: 'url', url: 'https://x', headers: {} });
    assert.equal(check({ name: 'a', url: 'https://x', type: 'sse' }).transport.type, 'sse');
    assert.deepEqual(check({ name: 'a', createServer: () => ({}) }).transport, {
      type: 'sdk',
      extension: 'me.mine',
      server: 'a',
    });
  });

  it('refuses everything else, and says what it must be', () => {
    refuses(undefined, /an object/);
    refuses({ name: ' ', command: 'x' }, /`name`/);
    refuses({ name: 'a' }, /one of/);
    refuses({ name: 'a', command: 'x', url: 'https://x' }, /one of/);
    refuses({ name: 'a', command: '' }, /`command`/);
    refuses({ name: 'a', command: 'x', args: 'y' }, /`args`/);
    refuses({ name: 'a', command: 'x', env: { A: 1 } }, /`env`/);
    refuses({ name: 'a', command: 'x', cwd: 1 }, /`cwd`/);
    refuses({ name: 'a', url: 1 }, /`url`/);
    refuses({ name: 'a', url: 'https://x', type: 'stdio' }, /`type`/);
    refuses({ name: 'a', url: 'https://x', headers: [] }, /`headers`/);
    refuses({ name: 'a', createServer: {} }, /`createServer`/);
  });

  it('keeps nothing that the extension could change later', () => {
    const args = ['y'];
    const { transport } = check({ name: 'a', command: 'x', args });
    args.push('z');
    assert.ok(transport.type === 'stdio' && transport.args.length === 1);
  });

  it('knows a server by what it has', async () => {
    const made = async (server: unknown): Promise<string> =>
      (await check({ name: 'a', createServer: async () => server }).create?.())?.kind ?? 'none';
    assert.equal(await made({ connect() {} }), 'transport');
    assert.equal(await made({ fetch() {} }), 'fetch');
    for (const nothing of [undefined, {}, 'x', { connect: 1 }])
      await assert.rejects(made(nothing), /nothing that is a server/);
    const failing = check({ name: 'a', createServer: () => Promise.reject(new Error('no licence')) });
    await assert.rejects(async () => failing.create?.(), /me\.mine could not make its server a: no licence/);
  });
});
