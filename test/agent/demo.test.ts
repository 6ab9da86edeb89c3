import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shareHostedWindow } from '../support/sharedWindow.ts';
import { activity } from './demo/activity.ts';
import { agent } from './demo/agent.ts';
import { calls } from './demo/calls.ts';
import { customAgents } from './demo/customAgents.ts';
import { files } from './demo/files.ts';
import { inlineActions } from './demo/inlineActions.ts';
import { inspector } from './demo/inspector.ts';
import { keyboardOnly } from './demo/keyboardOnly.ts';
import { manyServers } from './demo/manyServers.ts';
import { outsideGateway } from './demo/outsideGateway.ts';
import { pages } from './demo/pages.ts';
import { presets } from './demo/presets.ts';
import { recordedSessions } from './demo/recordedSessions.ts';
import { recordings } from './demo/recordings.ts';
import { scripts } from './demo/scripts.ts';
import { servers } from './demo/servers.ts';
import { skills } from './demo/skills.ts';
import { tasks } from './demo/tasks.ts';

describe('with the servers of the demo:', () => {
  // The user’s home: what is put there for agents outside the editor isn’t found by windows of others, nor theirs here.
  const home = mkdtempSync(join(tmpdir(), 'switchboard-home-'));
  const useWindow = shareHostedWindow({ env: { HOME: home, USERPROFILE: home } });
  after(() => rmSync(home, { recursive: true, force: true }));

  // What the first message of a window finds.
  agent(useWindow);
  outsideGateway(useWindow, home);
  activity(useWindow);
  tasks(useWindow);
  skills(useWindow);
  pages(useWindow);
  keyboardOnly(useWindow);
  servers(useWindow);
  files(useWindow);
  inspector(useWindow);
  presets(useWindow);
  customAgents(useWindow);
  scripts(useWindow);
  recordings(useWindow);
  inlineActions(useWindow);
  manyServers(useWindow);
  // Reloads the window.
  calls(useWindow);
  // Leaves a server.
  recordedSessions(useWindow);
});
