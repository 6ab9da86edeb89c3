import { withOddNeighbours } from '../support/besideServers.ts';
import { shareHostedWindow } from '../support/sharedWindow.ts';
import { attacks } from './beside/attacks.ts';
import { MAX_STEPS, participant } from './beside/participant.ts';

describe('with odd neighbours of the demo’s servers:', () => {
  const useWindow = shareHostedWindow({
    prepare: withOddNeighbours,
    connected: '6/6',
    settings: { 'chat.agent.maxRequests': MAX_STEPS, 'mcpSwitchboard.toolExposure': 'search' },
  });

  participant(useWindow);
  attacks(useWindow);
});
