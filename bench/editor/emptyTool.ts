/** As a manifest declares it. */
export const EMPTY_TOOL = {
  name: 'bench_empty',
  toolReferenceName: 'bench_empty',
  canBeReferencedInPrompt: true,
  displayName: 'Empty',
  modelDescription: 'Gives nothing.',
  inputSchema: { type: 'object', properties: {} },
};
