import assert from 'node:assert/strict';
import { knownVersion, olderVersion, refusesVersion } from '../../../src/connection/protocol/legacyVersions.ts';

describe('versions of the protocol', () => {
  it('what a server names stands for a version that is known', () => {
    for (const [named, known] of [
      ['2025-11-25', '2025-11-25'],
      ['2024-10-07', '2024-10-07'],
      ['2025-01-01', '2024-11-05'],
      ['2031-01-01', '2025-11-25'],
      ['2024-01-01', '2025-03-26'],
      ['1.0', '2025-03-26'],
      ['', '2025-03-26'],
      [undefined, '2025-03-26'],
      [20250618, '2025-03-26'],
    ] as const)
      assert.equal(knownVersion(named), known, String(named));
  });

  it('a refusal of the version is told from any other', () => {
    for (const message of [
      'unsupported protocol version: 2025-11-25',
      'Bad Request: Unsupported protocol version (supported versions: 2025-06-18)',
      'Protocol version mismatch',
      'protocolVersion 2025-11-25 is not supported',
      'Unsupported version',
    ])
      assert.ok(refusesVersion({ message }), message);
    for (const message of ['Method not found', 'API version header missing', 'Invalid params', 'no such account'])
      assert.ok(!refusesVersion({ message }), message);
  });

  it('the newest older version that is named is offered, else the next older one, and in the end none', () => {
    const refusal = { message: 'unsupported protocol version' };
    assert.equal(olderVersion(undefined, refusal), '2025-06-18');
    assert.equal(olderVersion('2025-06-18', refusal), '2025-03-26');
    assert.equal(olderVersion('2024-10-07', refusal), undefined);
    assert.equal(
      olderVersion(undefined, { ...refusal, data: { supported: ['2024-11-05', '2025-03-26'] } }),
      '2025-03-26',
    );
    assert.equal(olderVersion(undefined, { message: 'Method not found: 2024-11-05' }), undefined);
    for (let offered: string | undefined = '2025-11-25', count = 0; offered; offered = olderVersion(offered, refusal))
      assert.ok(count++ < 5);
  });
});
