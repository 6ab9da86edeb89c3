import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { PoolHarness } from '../harness.ts';

const FIXTURE = fileURLToPath(new URL('../../../fixtures/servers/pictures.ts', import.meta.url));

describe('images of prompts and resources', function () {
  this.timeout(60_000);
  const harness = new PoolHarness();
  before(() => harness.connect({ type: 'stdio', command: process.execPath, args: [FIXTURE], env: {} }));
  after(() => harness.end());
  const request = (method: string, params: Record<string, string>): Promise<Record<string, unknown>> =>
    harness.server().session?.request(method, params, 30_000) as Promise<Record<string, unknown>>;

  for (const [name, said] of [
    ['png', 'image image/png'],
    ['jpeg-as-png', 'image image/jpeg'],
    ['data-url', 'image image/png'],
    ['svg', 'text (image/svg+xml)\n<svg/>'],
    ['tiff', 'text (image/tiff, 4 bytes, a format that models can’t see)'],
    ['empty', 'text (image/png without any bytes)'],
  ] as const)
    it(`a prompt with ${name}: as a call gives it`, async () => {
      const { messages } = (await request('prompts/get', { name })) as {
        messages: { content: { type: string; text?: string; mimeType?: string; data?: string } }[];
      };
      const content = messages[0]?.content;
      assert.equal(`${content?.type} ${content?.text ?? content?.mimeType}`, said);
      assert.doesNotMatch(content?.data ?? '', /^data:/);
    });

  for (const [name, type] of [
    ['png', 'image/png'],
    ['jpeg-as-png', 'image/jpeg'],
    ['tiff', 'image/tiff'],
    ['jpeg-untyped', 'image/jpeg'],
    ['zip', 'application/zip'],
  ] as const)
    it(`a resource with ${name}: its type is that of its bytes`, async () => {
      const { contents } = (await request('resources/read', { uri: `x://${name}` })) as {
        contents: { mimeType?: string }[];
      };
      assert.equal(contents[0]?.mimeType, type);
    });
});
