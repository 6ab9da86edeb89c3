import * as path from 'node:path';
import type Mocha from 'mocha';
import { activationSuite } from './activation.ts';
import { activityViewsSuite } from './activityViews.ts';
import { apiSuite } from './api.ts';
import { callsSuite } from './calls.ts';
import { changedWhileAskedSuite } from './changedWhileAsked.ts';
import { catalogSuite } from './catalog.ts';
import { commandsSuite } from './commands.ts';
import { configEditsSuite } from './configEdits.ts';
import { copyServersSuite } from './copyServers.ts';
import { endSuite } from './end.ts';
import { fileHelpSuite } from './fileHelp.ts';
import { gatewaySuite } from './gateway.ts';
import { lmToolsSuite } from './lmTools.ts';
import { networkSuite } from './network.ts';
import { permissionsViewSuite } from './permissionsView.ts';
import { quickFixesSuite } from './quickFixes.ts';
import { recordSessionSuite } from './recordSession.ts';
import { settingsSuite } from './settings/settingsSuite.ts';
import { sourcesSuite } from './sources.ts';
import { treeSuite } from './tree.ts';
import { treeTextSuite } from './treeText.ts';
import { viewCommandsSuite } from './viewCommands.ts';
import { watchConnections } from './watchConnections.ts';

/** Run by the editor inside the extension host. The suites share one window, so their order is theirs to rely on. */
export async function run(): Promise<void> {
  const Runner = require(
    path.join(process.env['SWITCHBOARD_ROOT'] ?? '', 'node_modules/mocha/lib/mocha.cjs'),
  ) as typeof Mocha;
  const mocha = new Runner({ ui: 'bdd', timeout: 60_000, reporter: process.env['SWITCHBOARD_REPORTER'] ?? 'spec' });
  mocha.suite.emit('pre-require', globalThis as unknown as Mocha.MochaGlobals, '', mocha);
  const connections = watchConnections();
  for (const suite of [
    activationSuite,
    treeSuite,
    treeTextSuite,
    lmToolsSuite,
    callsSuite,
    changedWhileAskedSuite,
    gatewaySuite,
    catalogSuite,
    // Before those that write what isn't JSON: the editor starts no endpoint that is new to it after that.
    settingsSuite,
    commandsSuite,
    viewCommandsSuite,
    activityViewsSuite,
    permissionsViewSuite,
    recordSessionSuite,
    configEditsSuite,
    copyServersSuite,
    quickFixesSuite,
    fileHelpSuite,
    sourcesSuite,
    networkSuite,
    apiSuite,
    () => endSuite(connections),
  ])
    suite();
  await new Promise<void>((resolve, reject) => {
    mocha.run((failures) => (failures === 0 ? resolve() : reject(new Error(`${failures} tests failed`))));
  });
}
