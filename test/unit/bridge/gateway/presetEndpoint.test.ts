import { strict as assert } from 'node:assert';
import type { Client } from '@modelcontextprotocol/client';
import { presetReference } from '../../../../src/bridge/gateway/presets/presetReference.ts';
import { GatewayRig } from '../gatewayRig.ts';
import { textOf, waitFor } from '../gatewaySupport.ts';

const REVIEW = { tools: ['notes/list_*', 'other'], description: 'Reads notes', customAgents: true };

describe('gateway: presets for custom agents', function () {
  this.timeout(60_000);
  let rig: GatewayRig;

  beforeEach(async () => {
    rig = new GatewayRig();
    rig.settings = { exposure: 'search' };
    rig.presets = { user: { Review: REVIEW, Own: { tools: ['notes'] } }, workspace: undefined };
    await rig.start({ notes: rig.notes, other: rig.notes, third: rig.notes });
  });

  afterEach(() => rig.stop());

  const labels = (): readonly string[] =>
    rig.gateway.endpoints.map(({ serverName }) => serverName).filter((name) => name.startsWith('Preset'));
  const names = async (client: Client): Promise<readonly string[]> =>
    (await client.listTools()).tools.map(({ name }) => name).sort();
  const change = (presets: object): void => {
    rig.presets = { ...rig.presets, ...presets };
    rig.test.host.settingsChanged();
    rig.gateway.refresh();
  };

  it('one that the user offers is a server of its own, with its tools alone, whatever the exposure', async () => {
    assert.deepEqual(labels(), ['Preset Review']);
    const client = await rig.client(undefined, 'Preset Review');
    assert.equal(client.getServerVersion()?.name, '_preset_review_');
    assert.equal(client.getInstructions(), 'Reads notes');
    assert.deepEqual(await names(client), [
      'notes__list_notes',
      'other__add_note',
      'other__delete_all_notes',
      'other__delete_note',
      'other__list_notes',
    ]);
    const result = await client.callTool({ name: 'notes__list_notes', arguments: {} });
    assert.match(textOf(result), /note/i);
    assert.equal(presetReference('My Review'), 'preset-my-review/*');
  });

  it('what writes is asked about, and what the preset lacks is not called, by any of its names', async () => {
    const client = await rig.client(undefined, 'Preset Review');
    const denied = await client.callTool({ name: 'other__delete_all_notes', arguments: {} });
    assert.match(textOf(denied), /The user denied/);
    assert.equal(rig.questionsElsewhere.length, 1);
    for (const name of [
      'notes__delete_note',
      'mcp__notes__delete_note',
      'third__list_notes',
      'mcp__notes__list_notes',
    ]) {
      const result = await client.callTool({ name, arguments: { title: 'Ideas' } });
      assert.equal(result.isError, true);
      assert.match(textOf(result), /is not in the preset “Review”/);
    }
    assert.equal(rig.questionsElsewhere.length, 1);
  });

  it('follows the settings, and has nothing that the active preset lacks', async () => {
    const client = await rig.client(undefined, 'Preset Review');
    const choices = await rig.test.host.preset.choices();
    const own = choices.all.find(({ name }) => name === 'Own');
    await choices.choose(own);
    await waitFor(async () => (await names(client)).join() === 'notes__list_notes');
    await choices.choose(undefined);
    await waitFor(async () => (await names(client)).length === 5);
    change({ user: { Review: { ...REVIEW, customAgents: false } } });
    assert.deepEqual(labels(), []);
    await assert.rejects(client.listTools());
    change({ user: { Review: { ...REVIEW, tools: ['third/list_notes'] } } });
    await waitFor(() => labels().join() === 'Preset Review');
    assert.deepEqual(await names(await rig.client(undefined, 'Preset Review')), ['third__list_notes']);
  });

  it('a workspace’s preset is offered to nobody, and takes the place of none', async () => {
    change({ workspace: { Theirs: { ...REVIEW, tools: ['*'] }, Review: { ...REVIEW, tools: ['*'] } } });
    assert.deepEqual(labels(), ['Preset Review']);
    const client = await rig.client(undefined, 'Preset Review');
    assert.equal((await names(client)).length, 5);
  });
});
