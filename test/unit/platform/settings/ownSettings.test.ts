import assert from 'node:assert/strict';
import { withStubbedEditor } from '../../../support/stubbedEditor.ts';

type Values = Readonly<Record<string, unknown>>;

const valueIn = (values: Values | undefined, key: string): unknown =>
  key.split('.').reduce((within: unknown, part) => (within as Values | undefined)?.[part], values);

/** As the editor looks it up: by the key that is asked, the profile's value, or else that for all profiles. */
const editorWith = (profile: Values | undefined, allProfiles: Values | undefined, workspace?: Values): Values => ({
  workspace: {
    getConfiguration: () => ({
      inspect: (key: string) => ({
        globalValue: valueIn(profile, key) ?? valueIn(allProfiles, key),
        workspaceValue: valueIn(workspace, key),
      }),
    }),
  },
});

const readWith = async (editor: Values, names: readonly string[]): Promise<readonly unknown[]> => {
  const { ownValues } = await withStubbedEditor(
    editor,
    () => import(`../../../../src/platform/settings/ownSettings.ts`),
  );
  const own = ownValues();
  return names.map((name) => own(name));
};

describe('platform/ownSettings', () => {
  const NAMES = ['toolPinning', 'permissions.rules', 'gateway.port'];
  const forAll = { mcpSwitchboard: { toolPinning: 'block', permissions: { rules: ['all'] }, gateway: { port: 7 } } };

  it('has what is set for all profiles, also where the profile has a setting of ours', async () => {
    const profile = { mcpSwitchboard: { permissions: { rules: ['profile'] } } };
    assert.deepEqual(await readWith(editorWith(profile, forAll), NAMES), ['block', ['profile'], 7]);
    assert.deepEqual(await readWith(editorWith(undefined, forAll), NAMES), ['block', ['all'], 7]);
    assert.deepEqual(await readWith(editorWith(forAll, undefined), NAMES), ['block', ['all'], 7]);
    assert.deepEqual(await readWith(editorWith(undefined, undefined), NAMES), [undefined, undefined, undefined]);
  });

  it('has nothing of what a workspace sets', async () => {
    assert.deepEqual(await readWith(editorWith(undefined, undefined, forAll), NAMES), [
      undefined,
      undefined,
      undefined,
    ]);
    const profile = { mcpSwitchboard: { gateway: { port: 8 } } };
    assert.deepEqual(await readWith(editorWith(profile, undefined, forAll), NAMES), [undefined, undefined, 8]);
  });
});
