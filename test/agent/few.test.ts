import { withFewTools } from '../support/fewServers.ts';
import { shareHostedWindow } from '../support/sharedWindow.ts';
import { apps } from './few/apps.ts';
import { catalog } from './few/catalog.ts';
import { definitions } from './few/definitions.ts';
import { drawnApps } from './few/drawnApps.ts';
import { exposure } from './few/exposure.ts';
import { organization } from './few/organization.ts';

describe('with few tools:', () => {
  const useWindow = shareHostedWindow({
    prepare: withFewTools,
    connected: '3/3',
    env: { MCP_RETRY_CONFIG: '{"maxAttempts":2,"initialDelayMs":10}' },
    ownEtc: true,
  });

  exposure(useWindow);
  apps(useWindow);
  drawnApps(useWindow);
  catalog(useWindow);
  definitions(useWindow);
  organization(useWindow);
});
