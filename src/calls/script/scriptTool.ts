import type { JsonObject } from '../../base/json/json.ts';

/** The built-in tool that runs scripts. */
export const SCRIPT_TOOL = 'mcp_run_script';

/**
 * What models are told of it.
 * @param source where names and schemas of tools come from
 */
export function scriptDescription(source = 'mcp_tool_search'): string {
  return (
    `Runs JavaScript that calls tools of MCP servers: await tools.NAME(arguments), with names and inputSchema from ${source} ` +
    '(tools["a-b"] for a name with a hyphen). A call gives the tool’s result: an object or a list where that is JSON, else text; it ' +
    'throws where the tool fails. Use it for tasks of several calls, and to filter, join or count results. The script is the body of ' +
    'an async function: return only what you need. It has no imports, network, files, timers or console. Calls that the user has to ' +
    'allow wait until the script can’t go on, and the user answers once for all that wait: start such calls together, with ' +
    'Promise.all. A denial ends the script.'
  );
}

/** The arguments of the tool. */
export const SCRIPT_SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    script: { type: 'string', minLength: 1, description: 'The body of an async function, in JavaScript' },
  },
  required: ['script'],
  additionalProperties: false,
};
