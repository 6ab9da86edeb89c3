import { strict as assert } from 'node:assert';
import {
  CallToolResultSchema,
  CancelTaskResultSchema,
  CreateTaskResultSchema,
  GetTaskResultSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { eventually } from '../../../../support/eventually.ts';
import { TaskServer } from '../../../../support/taskServer.ts';
import { GatewayRig } from '../../gatewayRig.ts';
import { OutsideRig, type OutsideClient } from './outsideRig.ts';

describe('tasks of agents outside the editor', function () {
  this.timeout(60_000);
  const server = new TaskServer();
  const rig = new GatewayRig();
  const outside = new OutsideRig();
  let client: OutsideClient;
  let other: OutsideClient;

  before(async () => {
    await server.start();
    await rig.start({
      core: { type: 'http', url: server.url('core') },
      extension: { type: 'http', url: server.url('extension') },
      notes: rig.notes,
    });
    const gateway = await outside.open(rig);
    client = await outside.client(gateway, { name: 'mine' });
    other = await outside.client(gateway, { name: 'another' });
  });
  after(async () => {
    await outside.stop();
    await rig.stop();
    server.stop();
  });

  const begin = async (name: string, args: Record<string, unknown>): Promise<{ taskId: string; status: string }> =>
    (
      await client.request(
        { method: 'tools/call', params: { name, arguments: args, task: { ttl: 60_000 } } },
        CreateTaskResultSchema,
      )
    ).task;
  const get = (by: OutsideClient, taskId: string): Promise<{ status: string }> =>
    by.request({ method: 'tasks/get', params: { taskId } }, GetTaskResultSchema);

  for (const form of ['core', 'extension'] as const)
    it(`are passed on to a server of the form ${form}, in the form of the client`, async () => {
      const { tools } = await client.listTools();
      assert.deepEqual(tools.find(({ name }) => name === `mcp__${form}__work`)?.execution, { taskSupport: 'optional' });
      const { taskId, status } = await begin(`mcp__${form}__work`, { id: `native-${form}`, ms: 400 });
      assert.equal(status, 'working');
      const result = await client.request({ method: 'tasks/result', params: { taskId } }, CallToolResultSchema);
      assert.deepEqual(result.content, [{ type: 'text', text: `done native-${form}` }]);
      assert.deepEqual(result._meta, { 'io.modelcontextprotocol/related-task': { taskId } });
      assert.equal((await get(client, taskId)).status, 'completed');
      assert.equal(server.calls.filter((id) => id === `native-${form}`).length, 1);
    });

  it('by the SDK’s own client, which asks by itself', async () => {
    await client.listTools();
    const seen: string[] = [];
    const stream = client.experimental.tasks.callToolStream({
      name: 'mcp__core__work',
      arguments: { id: 'stream', ms: 300 },
    });
    for await (const message of stream) {
      seen.push(message.type);
      if (message.type === 'result') assert.deepEqual(message.result.content, [{ type: 'text', text: 'done stream' }]);
    }
    assert.deepEqual([seen[0], seen.at(-1)], ['taskCreated', 'result']);
  });

  it('a call that runs at once, or is refused, is a task that has ended', async () => {
    const { taskId, status } = await begin('mcp__notes__list_notes', {});
    assert.equal(status, 'completed');
    const result = await client.request({ method: 'tasks/result', params: { taskId } }, CallToolResultSchema);
    assert.equal(result.isError, false);
    await assert.rejects(get(other, taskId), /Task not found/);
  });

  it('a client that makes many doesn’t push those of others out, and its own only when their results were fetched', async () => {
    const first = await begin('mcp__notes__list_notes', {});
    const fetched = await begin('mcp__notes__list_notes', {});
    await client.request({ method: 'tasks/result', params: { taskId: fetched.taskId } }, CallToolResultSchema);
    const params = { name: 'mcp__notes__list_notes', arguments: {}, task: { ttl: 60_000 } };
    for (let count = 0; count < 70; count += 1)
      await other.request({ method: 'tools/call', params }, CreateTaskResultSchema);
    for (const { taskId } of [first, fetched]) assert.equal((await get(client, taskId)).status, 'completed');
    for (let count = 0; count < 63; count += 1) await begin('mcp__notes__list_notes', {});
    assert.equal((await get(client, first.taskId)).status, 'completed');
    await assert.rejects(get(client, fetched.taskId), /Task not found/);
  });

  it('are cancelled by their caller, and by no other; nobody else sees them, and there is no list', async () => {
    server.behaviour = () => ({ status: 'working' });
    const { taskId } = await begin('mcp__extension__work', { id: 'mine' });
    await assert.rejects(get(other, taskId), /-32602: Task not found/);
    await assert.rejects(other.request({ method: 'tasks/result', params: { taskId } }, CallToolResultSchema), /-32602/);
    await assert.rejects(
      other.request({ method: 'tasks/cancel', params: { taskId } }, CancelTaskResultSchema),
      /-32602/,
    );
    await assert.rejects(other.request({ method: 'tasks/list' }, CallToolResultSchema), /-32601/);
    assert.equal((await get(client, taskId)).status, 'working');
    await client.request({ method: 'tasks/cancel', params: { taskId } }, CancelTaskResultSchema);
    assert.equal((await get(client, taskId)).status, 'cancelled');
    await assert.rejects(
      client.request({ method: 'tasks/cancel', params: { taskId } }, CancelTaskResultSchema),
      /-32602/,
    );
    await eventually('its server is told', () =>
      [...server.tasks.values()].some(({ args, cancelled }) => args['id'] === 'mine' && cancelled),
    );
  });
});
