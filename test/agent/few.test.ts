import { withFewTools } from '../support/fewServers.ts';
import { shareHostedWindow } from '../support/sharedWindow.ts';
import { apps } from './few/apps.ts';
import { catalog } from './few/catalog.ts';
import { exposure } from './few/exposure.ts';

describe('with few tools:', () => {
  const useWindow = shareHostedWindow({ prepare: withFewTools, connected: '3/3' });

  exposure(useWindow);
  apps(useWindow);
  catalog(useWindow);
});
