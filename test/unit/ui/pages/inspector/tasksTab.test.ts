import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { isBlock } from '../../../../../src/ui/pages/front/read/readBlocks.ts';
import type { Block, Row } from '../../../../../src/ui/pages/pageContent.ts';
import { eventually } from '../../../../support/eventually.ts';
import { withStubbedEditor } from '../../../../support/stubbedEditor.ts';
import { TaskRig, textOf } from '../../../../support/taskRig.ts';
import { textResult } from '../../../../support/taskServer.ts';

const t = (text: string, ...values: unknown[]): string => text.replaceAll(/\{(\d)\}/g, (_all, n) => String(values[n]));
const { TasksTab } = await withStubbedEditor(
  { l10n: { t } },
  () => import('../../../../../src/ui/pages/inspector/tasksTab.ts'),
);

describe('inspector: tasks', function () {
  this.timeout(60_000);
  const rig = new TaskRig();
  let drawn = 0;
  let tab: InstanceType<typeof TasksTab>;
  let server = '';

  const blocks = async (): Promise<readonly Block[]> => {
    const all = await tab.content(server, Date.now(), 'en');
    ok(all.every(isBlock), 'the page takes it');
    return all;
  };
  const rows = async (): Promise<readonly Row[]> => {
    const [table] = await blocks();
    return table?.kind === 'table' ? table.rows : [];
  };
  const act = async (label: string, row: Row | undefined): Promise<void> => {
    const action = row?.actions.find((each) => each.label === label);
    ok(action, JSON.stringify(row));
    await tab.take({ type: 'act', action: action.id });
  };

  before(() => rig.start());
  beforeEach(() => {
    server = '';
    tab = new TasksTab(rig.test.host, () => (drawn += 1));
  });
  after(() => rig.stop());

  for (const form of ['core', 'extension'])
    it(`${form}: what runs, its end, and its result, which is still there for its caller`, async () => {
      let isDone = false;
      rig.server.behaviour = () =>
        isDone ? { status: 'completed', result: textResult('the result') } : { status: 'working' };
      const handle = await rig.begin(form, { id: form });
      const working = (await rows()).find(({ key }) => key === handle);
      match(JSON.stringify(working?.cells), /work.*running/);
      isDone = true;
      await rig.waitFor(handle);
      const ended = (await rows()).find(({ key }) => key === handle);
      match(JSON.stringify(ended?.cells), /Completed, not fetched yet/);
      await act('Show Result', ended);
      match(JSON.stringify(await blocks()), /the result/);
      ok(drawn > 0);
      equal(textOf(await rig.take(handle)), 'the result', 'looking at it takes nothing away');
      match(JSON.stringify((await rows()).find(({ key }) => key === handle)?.cells), /"Completed"/);
      // Only of the server that is looked at.
      const [first] = rig.test.host.views;
      const [other] = rig.test.host.views.filter(({ definition }) => definition.name !== form);
      ok(first && other);
      server = other.definition.id;
      deepEqual(
        (await rows()).filter(({ key }) => key === handle),
        [],
      );
    });

  it('is cancelled for the user, whoever called, and the server is told', async () => {
    rig.server.behaviour = () => ({ status: 'working' });
    const handle = await rig.begin('core', { id: 'c' }, { surface: 'outside', caller: 'another agent', asTask: true });
    const row = (await rows()).find(({ key }) => key === handle);
    match(JSON.stringify(row?.cells), /another agent/);
    await act('Cancel', row);
    await eventually('it has ended', async () =>
      /Cancelled/.test(JSON.stringify((await rows()).find(({ key }) => key === handle)?.cells)),
    );
    await act(
      'Show Result',
      (await rows()).find(({ key }) => key === handle),
    );
    match(JSON.stringify(await blocks()), /cancelled/i);
  });
});
