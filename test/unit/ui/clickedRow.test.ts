import assert from 'node:assert/strict';
import type { CommandPorts } from '../../../src/ui/commandPorts.ts';
import { withStubbedEditor } from '../../support/stubbedEditor.ts';

const { agentCommands } = await withStubbedEditor(
  { l10n: { t: String } },
  () => import('../../../src/ui/agentCommands.ts'),
);

describe('ui/agentCommands', () => {
  it('a row that was redrawn while it was clicked, for which the editor gives nothing, switches no tool', async () => {
    const commands = agentCommands({ host: { calls: { plan: {} } }, storage: {} } as unknown as CommandPorts);
    await assert.doesNotReject(async () => commands['mcpSwitchboard.toggleTool']?.(undefined, undefined));
  });
});
