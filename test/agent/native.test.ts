import { shareHostedWindow } from '../support/sharedWindow.ts';
import { approvalModes } from './native/approvalModes.ts';
import { gateway } from './native/gateway.ts';
import { loading } from './native/loading.ts';
import { surfaces } from './native/surfaces.ts';

describe('with native tools:', () => {
  const useWindow = shareHostedWindow({
    settings: {
      'chat.autopilot.enabled': true,
      'mcpSwitchboard.gateway.agentHostSessions': false,
      'mcpSwitchboard.toolExposure': 'search',
      'mcpSwitchboard.alwaysLoadTools': ['notes/*', 'everything/trigger-elicitation-request'],
    },
  });

  surfaces(useWindow);
  approvalModes(useWindow);
  // After those that count processes: the editor's own list of resources starts its copies of the servers.
  gateway(useWindow);
  // What is loaded stays.
  loading(useWindow);
});
