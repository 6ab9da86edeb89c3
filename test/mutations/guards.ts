import { answers } from './answers.ts';
import { approval } from './approval.ts';
import { apps } from './apps.ts';
import { askers } from './askers.ts';
import { calls } from './calls.ts';
import { decisions } from './decisions.ts';
import type { Edit, Rows } from './edit.ts';
import { foldedNames } from './foldedNames.ts';
import { floods } from './floods.ts';
import { folders } from './folders.ts';
import { gateway } from './gateway.ts';
import { hooks } from './hooks.ts';
import { heavyAnswers } from './heavyAnswers.ts';
import { icons } from './icons.ts';
import { inspector } from './inspector.ts';
import { lists } from './lists.ts';
import { pages } from './pages.ts';
import { portable } from './portable.ts';
import { presets } from './presets.ts';
import { recordings } from './recordings.ts';
import { repeats } from './repeats.ts';
import { scripts } from './scripts.ts';
import { secrets, secretSurfaces } from './secrets.ts';
import { shown } from './shown.ts';
import { signIn, signInAnswers, signInHostile, signInListener, signInNames, signInSurfaces } from './signIn.ts';
import { skills } from './skills.ts';
import { tasks } from './tasks.ts';
import { tracing } from './tracing.ts';
import { writing } from './writing.ts';

/** A row of the attack table: its test, and how its guard is taken out. */
export interface Guard {
  readonly title: string;
  /** The file that has a test of this title. */
  readonly test: string;
  readonly edits: readonly Edit[];
}

const OF_FILES: Readonly<Record<string, Rows>> = {
  'test/unit/calls/attacks.test.ts': calls,
  'test/unit/attacks/decisions.test.ts': decisions,
  'test/unit/attacks/hooks.test.ts': hooks,
  'test/unit/attacks/askers.test.ts': askers,
  'test/unit/attacks/gateway.test.ts': gateway,
  'test/unit/attacks/apps.test.ts': apps,
  'test/unit/attacks/folders.test.ts': folders,
  'test/unit/attacks/portable.test.ts': portable,
  'test/unit/attacks/presets.test.ts': presets,
  'test/unit/attacks/foldedNames.test.ts': foldedNames,
  'test/unit/attacks/approval.test.ts': approval,
  'test/unit/attacks/lists.test.ts': lists,
  'test/unit/attacks/tasks.test.ts': tasks,
  'test/unit/attacks/skills.test.ts': skills,
  'test/unit/attacks/writing.test.ts': writing,
  'test/unit/attacks/shown.test.ts': shown,
  'test/unit/attacks/pages.test.ts': pages,
  'test/unit/attacks/answers.test.ts': answers,
  'test/unit/attacks/icons.test.ts': icons,
  'test/unit/attacks/inspector.test.ts': inspector,
  'test/unit/attacks/recordings.test.ts': recordings,
  'test/unit/attacks/tracing.test.ts': tracing,
  'test/unit/attacks/scripts.test.ts': scripts,
  'test/unit/attacks/secrets.test.ts': secrets,
  'test/unit/attacks/secretSurfaces.test.ts': secretSurfaces,
  'test/unit/attacks/repeats.test.ts': repeats,
  'test/unit/attacks/floods.test.ts': floods,
  'test/unit/attacks/heavyAnswers.test.ts': heavyAnswers,
  'test/unit/attacks/signIn.test.ts': signIn,
  'test/unit/attacks/signInAnswers.test.ts': signInAnswers,
  'test/unit/attacks/signInListener.test.ts': signInListener,
  'test/unit/attacks/signInSurfaces.test.ts': signInSurfaces,
  'test/unit/attacks/signInHostile.test.ts': signInHostile,
  'test/unit/attacks/signInNames.test.ts': signInNames,
};

/** Every row of the attack table of docs/security.md. `npm run -s mutate` shows that each test fails without its guard. */
export const guards: readonly Guard[] = Object.entries(OF_FILES).flatMap(([test, rows]) =>
  Object.entries(rows).map(([title, edits]) => ({ title, test, edits })),
);
