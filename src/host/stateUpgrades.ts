import type { Upgrades } from '../base/versionedState.ts';

/**
 * What has another form than in version 0.1.0, by its key in the stores of the workspace, the profile and the tools. Who changes a
 * form adds the upgrade here, and a fixture of the release before stays in test/fixtures/state.
 */
export const STATE_UPGRADES: Upgrades = {};
