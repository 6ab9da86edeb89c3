import { deepEqual, match, ok } from 'node:assert/strict';
import type { SignInRig } from '../../../../support/signInRig.ts';
import { isBlock } from '../../../../../src/ui/pages/front/read/readBlocks.ts';
import type { Block } from '../../../../../src/ui/pages/pageContent.ts';
import { useSignInWorlds } from '../../../../support/signInRig.ts';
import { withStubbedEditor } from '../../../../support/stubbedEditor.ts';

const t = (text: string, ...values: unknown[]): string => text.replaceAll(/\{(\d)\}/g, (_all, n) => String(values[n]));
const { signInContent } = await withStubbedEditor(
  { l10n: { t } },
  () => import('../../../../../src/ui/pages/inspector/signInTab.ts'),
);

async function blocksOf({ test: { host } }: SignInRig): Promise<readonly Block[]> {
  const recorder = await host.recorder();
  const ids = host.views.map(({ definition }) => definition.id);
  const blocks = signInContent(ids, {
    events: recorder.recent(),
    nameOf: (id) => host.servers.get(id)?.name ?? id,
    viewOf: (id) => host.signIns.view(id),
    mask: (text) => host.mask(recorder.mask(text)),
    language: 'en',
  });
  ok(blocks.every(isBlock), 'the page takes it');
  return blocks;
}

describe('inspector: a sign-in, step by step', function () {
  this.timeout(60_000);
  const world = useSignInWorlds();

  it('each request with what it was for, its address, status and time, and no secret', async () => {
    const made = await world({ server: { scopes: ['openid', 'read'] } });
    const rig = await made.signedIn();
    await rig.call();
    await made.auth.expire();
    await rig.call();
    const [accounts, steps] = await blocksOf(rig);
    ok(accounts?.kind === 'table' && steps?.kind === 'table');
    match(String(accounts.rows[0]?.cells[2]), /^http/, 'where the account is');
    const rows = steps.rows.toReversed();
    const kinds = rows.map(({ cells }) => String(cells[0]));
    deepEqual([kinds[0], kinds.includes('token (refresh_token)')], ['sign-in', true]);
    for (const kind of ['discovery', 'registration', 'token (authorization_code)'])
      ok(kinds.includes(kind), `${kind} of ${kinds.join(', ')}`);
    const token = rows.find(({ cells }) => cells[0] === 'token (authorization_code)')?.cells ?? [];
    match(String(token[2]), /^POST http:\/\/[^?#]+$/);
    deepEqual(token[3], 'HTTP 200');
    ok(Number(token[5]) >= 0 && Number(token[6]) >= 0, JSON.stringify(token));
    const starts = rows.slice(0, kinds.lastIndexOf('sign-in') + 1).map(({ cells }) => Number(cells[5]));
    deepEqual(
      starts,
      starts.toSorted((a, b) => a - b),
      'in their order',
    );
  });
});
