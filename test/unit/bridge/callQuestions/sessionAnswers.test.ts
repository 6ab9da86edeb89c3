import { strict as assert } from 'node:assert';
import type { Question, Surface } from '../../../../src/calls/callTypes.ts';
import { withStubbedEditor } from '../../../support/stubbedEditor.ts';

const { buttonsOf } = await withStubbedEditor(
  { l10n: { t: (text: string) => text } },
  () => import('../../../../src/bridge/callQuestions/questionText.ts'),
);

describe('an answer that ends with the window', () => {
  it('says whose calls it is for, and which', () => {
    const said = (surface: Surface, openWorld: boolean): string | undefined => {
      const question = { surface, openWorld, sessionOnly: true, lasting: true, shownArgs: {} } as Question;
      const buttons = buttonsOf(question);
      assert.ok(buttons.every(({ answer }) => answer !== 'always' && answer !== 'alwaysArgs'));
      return buttons.find(({ answer }) => answer === 'session')?.description;
    };
    assert.deepEqual(
      (['app', 'outside'] as const).flatMap((surface) => [said(surface, false), said(surface, true)]),
      [
        'this tool, for apps of this server, until the window closes',
        'reading tools of this server, for its apps, until the window closes',
        'for agents outside the editor, until the window closes',
        'reading tools of this server, for agents outside the editor, until the window closes',
      ],
    );
  });
});
