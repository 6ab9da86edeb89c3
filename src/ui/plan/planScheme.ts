/** Of the documents that hold the arguments of planned calls. */
export const PLAN_SCHEME = 'mcp-switchboard-plan';
