import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { EventMask } from '../../../../src/connection/recording/eventMask.ts';
import { readRecording } from '../../../../src/connection/recording/replay/readRecording.ts';
import type { RecordedEvent } from '../../../../src/connection/recording/recordedEvent.ts';
import { Recorder } from '../../../../src/connection/recording/recorder.ts';
import {
  RecordingWriter,
  saveRecording,
  type RecordingOptions,
} from '../../../../src/connection/recording/recordingWriter.ts';
import { atOnce } from '../../../../src/base/timeSlices.ts';
import { scriptedHttp } from '../../../fixtures/servers/http.ts';
import { WebSocketFixture } from '../../../fixtures/servers/webSocket.ts';
import { SecretSweep } from '../../../support/secretSweep.ts';
import { useSignInWorlds } from '../../../support/signInRig.ts';
import { withServers, type TestHost } from '../../../support/testHost.ts';
import { fixture, temporaryFolder } from '../harness.ts';

const RING = { maxAgeMs: 60_000, maxBytes: 16 * 1024 * 1024 };
const PLAIN: RecordingOptions = {
  by: { name: 'test', version: '0' },
  platform: 'linux',
  nameOf: (id) => id,
  mask: (text) => text,
};

describe('a recording never has a secret', function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  after(() => folder.remove());

  async function optionsOf({ host }: Pick<TestHost, 'host'>): Promise<RecordingOptions> {
    const recorder = await host.recorder();
    return { ...PLAIN, mask: (text) => host.mask(recorder.mask(host.pool.mask(text))) };
  }

  it('of an environment, headers, arguments and results, over stdio, HTTP and WebSocket, saved or recorded', async () => {
    const sweep = new SecretSweep();
    const [ofEnvironment, ofHeader, ofSocket, ofAddress] = ['Env', 'Header', 'Socket', 'Address'].map(
      (name) => `${name}-q7Zk29x-Secret`,
    ) as [string, string, string, string];
    for (const secret of [ofEnvironment, ofHeader, ofSocket, ofAddress]) sweep.add('a value of the definition', secret);
    sweep.add('an argument', 'hunter-2-of-arguments');
    sweep.add('a number', '88442211');
    const [http, socket] = [await scriptedHttp(() => false), await new WebSocketFixture().listen()];
    const { command, args } = fixture('legacy');
    try {
      await withServers(
        {
          local: { command, args, env: { API_TOKEN: ofEnvironment } },
          far: { type: 'http', url: `${http.url}?key=${ofAddress}`, headers: { Authorization: `Bearer ${ofHeader}` } },
          socket: { type: 'ws', url: socket.url, headers: { 'X-Api-Key': ofSocket } },
        },
        async (rig) => {
          const { host } = rig;
          const recorder = await host.recorder();
          const options = await optionsOf(rig);
          const live = path.join(folder.path, 'live.jsonl');
          const writer = await RecordingWriter.begin(live, options);
          const subscription = recorder.onEvent((event) => writer.add(event));
          const { signal } = new AbortController();
          const base64 = Buffer.from(`x${ofEnvironment}x`).toString('base64');
          for (const tool of host.catalog.tools.filter((each) => each.tool.name === 'echo'))
            for (const text of [
              ofEnvironment,
              ofHeader,
              ofSocket,
              ofAddress,
              base64,
              'hunter-2-of-arguments',
              '88442211',
            ])
              await host.broker.call({ name: tool.name, args: { text }, surface: 'test', signal });
          // What its name says is learned late: what was written before is masked again.
          const link = recorder.openLink('late');
          const params = { password: 'hunter-2-of-arguments', nested: { 'api-key': 88442211 } };
          link.message('sent', { jsonrpc: '2.0', id: 1, method: 'x', params });
          subscription.dispose();
          await writer.stop();
          const saved = path.join(folder.path, 'saved.jsonl');
          await saveRecording(saved, recorder.recent(), options);
          for (const file of [live, saved]) {
            const { lines, unread } = await readRecording(file);
            assert.ok(lines.length > 40 && unread === 0, `${lines.length} lines`);
            assert.match(readFileSync(file, 'utf8'), /•••/);
            sweep.look(file, readFileSync(file, 'utf8'));
            if (process.platform !== 'win32') assert.equal(statSync(file).mode & 0o777, 0o600);
          }
          const held = JSON.stringify(recorder.recent());
          assert.ok(held.includes(ofEnvironment), 'there was something to mask');
        },
      );
      sweep.assertClean();
      assert.equal(sweep.size, 6);
    } finally {
      await Promise.all([http.close(), socket.close()]);
    }
  });

  it('keeps what only sounds like one: progress and paging go on', () => {
    const recorder = new Recorder(() => RING);
    const message = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { cursor: 'c', maxTokens: 5, _meta: { progressToken: 'p-12345678' } },
    };
    recorder.openLink('a').message('sent', message);
    const [event] = recorder.recent();
    assert.ok(event);
    const masked = atOnce(new EventMask((text) => text).masked(event));
    assert.deepEqual(masked.what, event.what);
    recorder.dispose();
  });

  it('takes out what looks like a token, and parameters of addresses that are named like secrets', () => {
    const recorder = new Recorder(() => RING);
    const token = `ghp_${'a1B2'.repeat(8)}`;
    const text = `see https://u:pw12345@h/p?access_token=abc123&b=1#code=xyz and ${token}`;
    recorder.openLink('a').message('received', { jsonrpc: '2.0', id: 1, result: { text } });
    recorder.note('a', { kind: 'stderr', line: `Authorization: Bearer ${token}` });
    const mask = new EventMask((each) => each);
    const all = JSON.stringify(recorder.recent().map((event: RecordedEvent) => atOnce(mask.masked(event)).what));
    assert.match(all, /see https:\/\/u:•••@h\/p\?access_token=•••&b=1#code=••• and •••/);
    assert.ok(!all.includes(token) && !all.includes('abc123') && !all.includes('xyz'), all);
    recorder.dispose();
  });
});

describe('a recording of somebody who signs in', function () {
  this.timeout(60_000);
  const world = useSignInWorlds();

  // Each test with such a world looks for its secrets in the recordings of its windows, too.
  it('has the steps with their addresses, and no token, code or secret of a client', async () => {
    const made = await world({ server: { scopes: ['openid', 'read'] } });
    const rig = await made.signedIn();
    await rig.call();
    await made.auth.expire();
    await rig.call();
    const recorder = await rig.test.host.recorder();
    const steps = recorder.recent().flatMap(({ what }) => (what.kind === 'signIn' ? [what] : []));
    const kinds = new Set(steps.map(({ step }) => step.replace(/ .*/, '')));
    assert.deepEqual([...kinds].sort(), ['discovery', 'registration', 'sign-in', 'token']);
    assert.ok(steps.some(({ step, detail }) => step === 'token (authorization_code)' && detail.endsWith(': HTTP 200')));
    assert.ok(steps.some(({ step }) => step === 'token (refresh_token)'));
    assert.ok(steps.every(({ detail }) => !detail.includes('?')));
    assert.deepEqual(
      steps.filter(({ step }) => step === 'sign-in').map(({ detail }) => detail),
      ['begun', 'done'],
    );
  });
});
