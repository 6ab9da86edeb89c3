import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../../scripts/lib/paths.mjs';
import { fieldsOf } from '../../../src/bridge/serverQuestions/formFields.ts';
import { TestHost } from '../../support/testHost.ts';

describe('forms as servers’ libraries write them, on a real server', function () {
  this.timeout(90_000);
  let rig: TestHost;
  const kinds: string[] = [];

  before(async () => {
    rig = new TestHost({
      ports: {
        requests: {
          elicit: async ({ params }) => {
            kinds.push(...fieldsOf(params['requestedSchema']).map(({ kind }) => kind));
            return { action: 'accept', content: { how: 'low' } };
          },
        },
      },
    });
    rig.answer = 'session';
    const args = [path.join(root, 'test/fixtures/servers/forms.mjs')];
    writeFileSync(
      path.join(rig.folder, '.mcp.json'),
      JSON.stringify({ mcpServers: { forms: { command: process.execPath, args } } }),
    );
    await rig.host.start();
    await rig.approveAll();
  });

  after(() => rig.stop());

  for (const [form, kind] of [
    ['referenced', 'choice'],
    ['wrapped', 'choice'],
    ['optional', 'choice'],
    ['untyped', 'choice'],
    ['several', 'choices'],
  ] as const) {
    it(`${form}: it is a ${kind}, and the server gets the answer`, async () => {
      kinds.length = 0;
      const name = `mcp__forms__ask_${form}`;
      const { signal } = new AbortController();
      const { parts } = await rig.host.broker.call({ name, args: {}, surface: 'test', signal });
      assert.deepEqual(kinds, [kind]);
      const [text] = parts;
      assert.deepEqual(text?.kind === 'text' && JSON.parse(text.text), { action: 'accept', content: { how: 'low' } });
    });
  }
});
