import assert from 'node:assert/strict';
import { modelText } from '../../../../../src/bridge/participant/commands/answer.ts';
import { TestHost } from '../../../../support/testHost.ts';

describe('bridge/participant: a server’s text for the model', () => {
  it('has nothing hidden in it, and no more than results may have', async () => {
    const rig = new TestHost();
    const { host } = rig;
    assert.equal(await modelText(host, 'as it is'), 'as it is');
    assert.match(await modelText(host, 'a\u202eb'), /^a\\u\{202e\}b\n\(invisible/);
    const large = await modelText(host, `${'word '.repeat(100_000)}the end`);
    assert.ok(large.length < 10_000 && large.endsWith('the end'));
    await rig.stop();
  });
});
