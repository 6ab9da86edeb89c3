import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../../../scripts/lib/paths.mjs';
import type { ServerItem } from '../../../../src/catalog/items/listServerItems.ts';
import { eventually } from '../../../support/eventually.ts';
import { TestHost } from '../../../support/testHost.ts';

const server = (file: string): object => ({ command: process.execPath, args: [path.join(root, file)] });

describe('resources, templates and prompts found by the search for tools', function () {
  this.timeout(60_000);
  let rig: TestHost;

  const found = async (query: string, from?: string): Promise<(string | undefined)[]> => {
    const { items } = await rig.host.search({ query, ...(from === undefined ? {} : { server: from }) });
    return items.map(keyOf);
  };

  beforeEach(async () => {
    rig = new TestHost();
    const mcpServers = {
      paged: server('test/fixtures/servers/paged.ts'),
      offers: server('test/fixtures/servers/offers.ts'),
    };
    writeFileSync(path.join(rig.folder, '.mcp.json'), JSON.stringify({ mcpServers }));
    await rig.host.start();
    await rig.approveAll();
  });

  afterEach(async () => {
    await rig.stop();
  });

  it('come from every page, of every kind, from any server or one', async () => {
    assert.deepEqual(await found('lighthouse committee minutes'), ['paged://minutes/229']);
    assert.deepEqual(await found('plan a trip'), ['trip']);
    assert.deepEqual(await found('city', 'offers'), ['offers://cities/{city}{?lang}', 'trip']);
    assert.deepEqual(await found('plan a trip', 'paged'), []);
    assert.deepEqual(await found(''), []);
  });

  it('stay out where they have few of the words', async () => {
    assert.deepEqual(await found('minutes until the rocket takes off from the launch pad'), []);
  });

  it('are listed once, and again after the server said that they changed', async () => {
    await found('minutes');
    await found('minutes');
    assert.equal(await rig.call('mcp__paged__listings'), 'listed 1 times');
    assert.deepEqual(await found('tides almanac'), []);
    await rig.call('mcp__paged__tides');
    await eventually('the almanac', async () => (await found('tides almanac')).length > 0);
    assert.deepEqual(await found('tides almanac'), ['paged://almanac']);
    assert.equal(await rig.call('mcp__paged__listings'), 'listed 2 times');
  });

  it('go with their server, and come back with it', async () => {
    assert.equal((await found('trip')).length, 1);
    const { definition } = rig.host.views.find((view) => view.definition.name === 'offers') ?? assert.fail();
    await rig.host.pool.disconnect(definition.id);
    assert.deepEqual(await found('trip'), []);
    await rig.host.pool.connect(definition.id);
    assert.equal((await found('trip')).length, 1);
  });
});

function keyOf(item: ServerItem): string {
  if (item.kind === 'resource') return item.resource.uri;
  if (item.kind === 'skill') return item.skill.uri;
  return item.kind === 'template' ? item.template.uriTemplate : item.prompt.name;
}
