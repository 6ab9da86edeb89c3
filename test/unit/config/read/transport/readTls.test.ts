import assert from 'node:assert/strict';
import { parseSource } from '../../../../../src/config/read/parseSource.ts';
import { fingerprintOf } from '../../../../../src/servers/trust/fingerprint.ts';
import { describeLaunch } from '../../../../../src/servers/trust/summary/launchSummary.ts';
import { sourceOf } from '../../sources.ts';

const HEX = 'A1B2C3D4'.repeat(8);
const COLONS = HEX.match(/../g)?.join(':') ?? '';
const read = (tls: unknown, url = 'https://box.local/mcp'): ReturnType<typeof parseSource> =>
  parseSource(sourceOf({ file: '/w/.mcp.json' }), JSON.stringify({ mcpServers: { box: { url, tls } } }));

describe('`tls` of an entry', () => {
  for (const written of [HEX, HEX.toLowerCase(), COLONS, `sha256:${HEX}`, `SHA256=${COLONS}`, `SHA-256 ${COLONS}`])
    it(`takes ${written.slice(0, 16)}…`, () => {
      const { entries, problems } = read({ fingerprint: written });
      assert.deepEqual(problems, []);
      assert.deepEqual(entries[0]?.transport, {
        type: 'url',
        url: 'https://box.local/mcp',
        headers: {},
        tls: { fingerprint: HEX },
      });
    });

  for (const wrong of ['', 'AB:CD', HEX.slice(1), `${HEX}00`, 'sha1:' + HEX, 5, true])
    it(`a fingerprint ${JSON.stringify(wrong).slice(0, 12)} is an error: another certificate would be trusted`, () => {
      const { entries, broken } = read({ fingerprint: wrong });
      assert.deepEqual([entries, broken[0]?.problem.code], [[], 'invalid-fingerprint']);
    });

  it('what would trust more isn’t read, and is said', () => {
    for (const tls of [{ rejectUnauthorized: false }, { insecure: true }, { ca: '/x.pem' }]) {
      const { entries, problems } = read(tls);
      assert.deepEqual(
        problems.map(({ code, severity }) => [code, severity]),
        [['unread-tls', 'warning']],
      );
      assert.ok(entries[0] && !('tls' in entries[0].transport));
    }
  });

  it('has no effect without TLS, and over WebSocket, which is said', () => {
    for (const url of ['http://box.local/mcp', 'wss://box.local/mcp'])
      assert.deepEqual(
        read({ fingerprint: HEX }, url).problems.map(({ code }) => code),
        ['unread-tls'],
      );
  });

  it('is shown before an approval, and another needs another one', () => {
    const [one] = read({ fingerprint: HEX }).entries;
    const [other] = read({ fingerprint: HEX.replaceAll('A', 'B') }).entries;
    const [none] = read(undefined).entries;
    assert.ok(one && other && none);
    assert.ok(describeLaunch(one).some((line) => line.includes(`this fingerprint alone: ${HEX}`)));
    assert.equal(new Set([one, other, none].map(fingerprintOf)).size, 3);
  });
});
