import type { ConnectionState, ServerConnection } from '../connection/connectionTypes.ts';
import { tellingLine } from '../connection/stdio/stderrReason.ts';
import type { ConnectOutcome } from './doctorReport.ts';

/** How a connection is now. @param ms how long that took, where it was connected for the report */
export function outcomeOf({ state, tools }: Pick<ServerConnection, 'state' | 'tools'>, ms?: number): ConnectOutcome {
  const time = ms === undefined ? {} : { ms };
  switch (state.kind) {
    case 'disconnected':
    case 'connecting':
    case 'installing':
      return { state: state.kind, tools: 0, ...time };
    case 'connected':
      return {
        state: 'connected',
        protocol: state.info.protocolVersion,
        tools: tools.length,
        ...time,
        ...(state.listError === undefined ? {} : { error: state.listError }),
      };
    case 'needs-auth':
    case 'pending':
    case 'failed':
      return { state: state.kind, tools: 0, ...time, error: errorOf(state) };
  }
}

function errorOf({ failure }: Extract<ConnectionState, { readonly failure: unknown }>): string {
  const { message, remedy, stderrTail } = failure;
  const telling = tellingLine(stderrTail);
  const isSaid = telling === undefined || message.includes(telling);
  return [message, remedy, isSaid ? undefined : `From its stderr: ${telling}`].filter(Boolean).join(' ');
}
