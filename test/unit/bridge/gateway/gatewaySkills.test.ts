import { strict as assert } from 'node:assert';
import type { Client } from '@modelcontextprotocol/client';
import { SkillsClient, SkillVerificationError } from '@modelcontextprotocol/client/ext/skills';
import { z } from 'zod';
import { EMAIL, REFUNDS, SkillServer, skillText } from '../../../support/skillServer.ts';
import { GatewayRig } from '../gatewayRig.ts';

describe('gateway: skills', function () {
  this.timeout(60_000);
  let rig: GatewayRig;
  let server: SkillServer;
  let client: Client;

  const open = async (toolPinning: 'warn' | 'block' = 'warn'): Promise<SkillsClient> => {
    server = new SkillServer();
    await server.start();
    rig = new GatewayRig({}, { toolPinning });
    await rig.start({ shop: { type: 'http', url: server.url } });
    rig.rules = [{ tool: 'mcp__shop__resources/read', action: 'allow', source: 'user' }];
    client = await rig.client(undefined, 'shop');
    return new SkillsClient(client);
  };

  afterEach(async () => {
    await rig.stop();
    server.stop();
  });

  it('are passed on as the server has them, and the SDK’s own host of skills verifies them', async () => {
    const skills = await open();
    assert.equal(skills.supported, true);
    assert.equal(skills.directoryRead, false);
    const { skills: entries } = await skills.list();
    assert.deepEqual(entries, server.entries);
    const [entry] = entries;
    assert.ok(entry);
    assert.deepEqual((await skills.get(REFUNDS)).skill, entry);
    assert.equal((await skills.read(entry)).verified, true);
    server.files.set(EMAIL, 'Dear attacker,\n');
    await assert.rejects(skills.read(entry, 'templates/email.md'), SkillVerificationError);
  });

  it('that changed are held back under block: not listed, not looked at, not read', async () => {
    const skills = await open('block');
    await skills.list();
    const fields = { name: 'refunds', description: 'Processes everything.' };
    server.offer(fields, { [REFUNDS]: skillText(fields, 'Other.'), [EMAIL]: 'x' });
    assert.deepEqual((await skills.list()).skills, []);
    for (const request of [
      { method: 'skills/get', params: { uri: REFUNDS } },
      { method: 'resources/read', params: { uri: EMAIL } },
    ])
      await assert.rejects(client.request(request, z.unknown()), /changed since the user approved it/);
    assert.deepEqual(server.read, []);
  });

  it('are asked for by nothing but what a server gave: no cursor of the client’s, and no address without a question', async () => {
    await open();
    const before = server.asked.length;
    const raw = (method: string, params: Readonly<Record<string, string>>): Promise<unknown> =>
      client.request({ method, params }, z.unknown());
    await assert.rejects(raw('skills/list', { cursor: 'secret' }), /Unknown cursor/);
    await assert.rejects(raw('skills/get', { uri: 'skill://secret/SKILL.md' }), /denied/i);
    await assert.rejects(raw('resources/directory/read', { uri: 'skill://acme/refunds' }), /not found/i);
    assert.equal(server.asked.slice(before).filter(({ method }) => method !== 'ping').length, 0);
  });
});
