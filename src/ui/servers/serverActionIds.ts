/** Everything that is done to one server. */
export const SERVER_ACTIONS = [
  'mcpSwitchboard.connect',
  'mcpSwitchboard.disconnect',
  'mcpSwitchboard.restart',
  'mcpSwitchboard.showLog',
  'mcpSwitchboard.openDefinition',
  'mcpSwitchboard.approve',
  'mcpSwitchboard.disable',
  'mcpSwitchboard.enable',
] as const;
export type ServerActionId = (typeof SERVER_ACTIONS)[number];
