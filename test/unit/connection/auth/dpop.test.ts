import assert from 'node:assert/strict';
import { createHash, createPublicKey, verify, type webcrypto } from 'node:crypto';
import { dpopSession, newDpopKey } from '../../../../src/connection/auth/requests/dpopKey.ts';
import { type SignInRig, useSignInWorlds } from '../../../support/signInRig.ts';

interface Proof {
  readonly header: { readonly alg: string; readonly jwk: webcrypto.JsonWebKey };
  readonly claims: { readonly jti: string; readonly htm: string; readonly htu: string; readonly ath?: string };
}

/** What a proof says; its signature is checked. */
function readProof(proof: string): Proof {
  const [header = '', claims = '', signature = ''] = proof.split('.');
  const read = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
  const said = { header: read(header), claims: read(claims) } as Proof;
  const key = createPublicKey({ key: said.header.jwk as never, format: 'jwk' });
  const signed = Buffer.from(signature, 'base64url');
  assert.ok(verify('sha256', Buffer.from(`${header}.${claims}`), { key, dsaEncoding: 'ieee-p1363' }, signed));
  return said;
}

function thumbprintOf({ crv, kty, x, y }: webcrypto.JsonWebKey): string {
  return createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
}

describe('tokens that are bound to a key', () => {
  const world = useSignInWorlds();
  const entry = { oauth: { dpop: true } };

  it('are sent with a proof of their own for each request, and are renewed with the same key, also after a restart', async () => {
    const made = await world({ server: { scopes: ['openid', 'read'] } });
    const rig = await made.signedIn({ entry });
    for (const text of rig.secrets.values.values())
      for (const [, value = ''] of text.matchAll(/"d":"([^"]+)"/g)) made.auth.sweep.add('private key', value);
    assert.ok(made.auth.sweep.kinds.includes('private key'));
    assert.equal(await rig.call(), 'hello');
    await made.auth.expire();
    assert.equal(await rig.call(), 'hello');
    await rig.test.host.stop();
    const again: SignInRig = await made.open({ ...rig.kept, entry });
    await made.auth.expire();
    assert.equal(await again.call(), 'hello');
    assert.equal(made.auth.tokenRequests('refresh_token'), 2);
    assert.ok(
      made.server.authorizations.every((each) => each.startsWith('DPoP ')),
      'never as a bearer token',
    );
    const proofs = made.server.proofs.map(readProof);
    assert.ok(proofs.length >= 5);
    assert.equal(new Set(proofs.map(({ claims }) => claims.jti)).size, proofs.length, 'each is used once');
    assert.equal(new Set(proofs.map(({ header }) => thumbprintOf(header.jwk))).size, 1, 'one key');
    for (const [index, { header, claims }] of proofs.entries()) {
      const token = made.server.authorizations[index]?.split(' ')[1] ?? '';
      assert.equal(claims.ath, createHash('sha256').update(token).digest('base64url'));
      assert.equal(claims.htu, made.server.url);
      assert.ok(!('d' in header.jwk), 'the private part stays here');
    }
  });

  it('that aren’t bound are sent as ever', async () => {
    const made = await world();
    const rig = await made.signedIn();
    assert.equal(await rig.call(), 'hello');
    assert.ok(made.server.authorizations.every((each) => each.startsWith('Bearer ')));
    assert.deepEqual(made.server.proofs, []);
  });

  it('a key that was kept signs as the new one did', async () => {
    const sdk = await import('../../../../src/connection/protocol/sdk.ts');
    const { key, session } = await newDpopKey(sdk);
    const kept = await dpopSession(sdk, JSON.parse(JSON.stringify(key)) as typeof key);
    assert.equal(kept.thumbprint, session.thumbprint);
    const proof = readProof(await kept.buildProof({ htm: 'GET', htu: 'https://a.example/x?y=z' }));
    assert.equal(thumbprintOf(proof.header.jwk), session.thumbprint);
  });
});
