// What of the protocol is done, by feature, era and surface: docs/protocol.md is made of it (`npm run docs`), and
// test/contract/protocolTable.test.ts holds each row against the tests that it names.

import { OFFERS } from './protocol-offers.mjs';
import { UTILITIES } from './protocol-utilities.mjs';

/** @type {readonly string[]} Between this extension and servers; then what comes of it for each kind of caller. */
export const SURFACES = [
  'Servers',
  'Models (`mcp_call_tool`, native tools)',
  'Chat participant, commands, API',
  'Agents outside',
];

/** @type {readonly import('./protocol-names.mjs').Row[]} */
export const PROTOCOL = [
  ...OFFERS,
  ...UTILITIES,
  {
    feature: 'Tasks: a call becomes one',
    era: '2025-11-25',
    cells: [
      'done: tools with `taskSupport` `required` and `optional`, where the server takes tasks',
      'done: a handle after `tasks.handOverAfter`',
      'done: waits for the result',
      'passed on: as tasks of 2025-11-25, where the client asks for one; else waits for the result',
    ],
    tests: [
      ['test/unit/calls/tasks/taskCalls.test.ts', 'are handed over where they take long'],
      ['test/unit/bridge/gateway/outside/outsideTasks.test.ts', 'are passed on to a server of the form'],
    ],
  },
  {
    feature: 'Tasks: a call becomes one',
    era: 'SEP-2663 (2026-07-28)',
    cells: [
      'done: declared to every server, which decides',
      'done: a handle after `tasks.handOverAfter`',
      'done: waits for the result',
      'passed on: in the form of 2025-11-25, to clients that speak it; a client of 2026-07-28 waits for the result',
    ],
    tests: [
      ['test/unit/calls/tasks/taskCalls.test.ts', 'are handed over where they take long'],
      ['test/unit/bridge/gateway/outside/outsideTasks.test.ts', 'are passed on to a server of the form'],
    ],
  },
  {
    feature: 'Tasks: status and result (`tasks/get`, `tasks/result`)',
    era: 'both',
    cells: ['done', 'done: `mcp_task` `get`, `wait`, `list`', 'shown in *Activity*', 'done, for the caller’s own'],
    tests: [
      ['test/unit/calls/tasks/taskCalls.test.ts', 'are among those in progress until they end'],
      ['test/unit/bridge/gateway/outside/outsideTasks.test.ts', 'by the SDK’s own client, which asks by itself'],
      ['test/unit/attacks/tasks.test.ts', 'A handle of a task that is made up, or another caller’s'],
    ],
  },
  {
    feature: 'Tasks: cancellation (`tasks/cancel`)',
    era: 'both',
    cells: ['done', 'done: `mcp_task` `cancel`', 'done: *Cancel Call*', 'done, for the caller’s own'],
    tests: [
      ['test/unit/calls/tasks/taskCalls.test.ts', 'end when their caller cancels them, or the user does'],
      ['test/unit/bridge/gateway/outside/outsideTasks.test.ts', 'are cancelled by their caller, and by no other'],
    ],
  },
  {
    feature: 'Tasks: input that is needed',
    era: '2025-11-25',
    cells: ['done: requests of the server', 'asked in the editor', 'asked as ever', 'asked in the editor'],
    tests: [['test/unit/connection/taskCall.test.ts', 'what the task needs from the user is asked']],
  },
  {
    feature: 'Tasks: input that is needed (`tasks/update`)',
    era: 'SEP-2663 (2026-07-28)',
    cells: ['done', 'asked in the editor', 'asked as ever', 'asked in the editor'],
    tests: [['test/unit/calls/tasks/taskCalls.test.ts', 'an extension’s task is answered what it needs']],
  },
  {
    feature: 'Tasks: list (`tasks/list`)',
    era: '2025-11-25',
    cells: [
      'refused: our own handles are listed, and a server’s list has no owners',
      'done: `mcp_task` `list`',
      'shown in *Activity*',
      'refused: clients can’t be told apart surely, and a list would show one the tasks of another',
    ],
    tests: [
      ['test/unit/bridge/gateway/outside/outsideTasks.test.ts', 'are cancelled by their caller, and by no other'],
    ],
  },
  {
    feature: 'Tasks: status notifications',
    era: 'both',
    cells: [
      'refused: the specification has it that clients don’t rely on them, and each is one more thing to flood',
      'none',
      'none',
      'refused: optional for receivers',
    ],
    tests: [['test/unit/attacks/tasks.test.ts', 'A server that wants to be asked for its tasks without a pause']],
  },
  {
    feature: 'Tasks of clients (sampling and elicitation as tasks)',
    era: '2025-11-25',
    cells: ['refused: not declared; gone with SEP-2663', 'none', 'none', 'none'],
    tests: [['test/unit/connection/taskCall.test.ts', 'what the task needs from the user is asked']],
  },
  {
    feature: 'Apps (`io.modelcontextprotocol/ui`): a result is drawn',
    era: 'both',
    cells: [
      'declared where it is done: VS Code 1.109 and later, unless `chat.mcp.apps.enabled` is off',
      'done: native tools passed on, drawn by VS Code in the chat; `mcp_call_tool` in a tab of ours; not yet for calls that become tasks',
      'done: `@mcp` and *Inspector* in a tab of ours; the API gets the text',
      'passed on: `_meta`, pages and results; who draws them is up to the client',
    ],
    tests: [
      ['test/agent/few/apps.ts', 'is told that the editor draws apps'],
      ['test/agent/few/drawnApps.ts', 'is beside what there is after mcp_call_tool'],
      ['test/agent/few/drawnApps.ts', 'is drawn for @mcp, and for the inspector'],
      ['test/unit/bridge/apps/appTools.test.ts', 'are listed for the editor with their page where it looks for it'],
    ],
  },
  {
    feature: 'Apps: `visibility` of tools',
    era: 'both',
    cells: [
      'done',
      'done: a tool that isn’t for models is in no list, search or call',
      'done: as for models',
      'refused: a client that says it shows apps may be a model all the same, so tools for apps alone aren’t listed',
    ],
    tests: [
      ['test/unit/attacks/apps.test.ts', 'A model that calls a tool that is for an app, or for nobody'],
      ['test/unit/attacks/apps.test.ts', 'An app that calls a tool that is for models'],
    ],
  },
  {
    feature: 'Apps: what they ask for (`tools/call`, `resources/*`, `ui/open-link`, `ui/message`, display modes)',
    era: 'both',
    cells: [
      'done: by the broker, as the app’s own call',
      'passed on: asked about by VS Code, and calls by us; in our tab asked about',
      'done: asked about',
      'none',
    ],
    tests: [
      ['test/unit/bridge/apps/appSession.test.ts', 'calls its server’s tools, reads its resources and lists them'],
      ['test/unit/bridge/apps/appSession.test.ts', 'asks the user for links and messages'],
      ['test/agent/few/drawnApps.ts', 'has its links and messages asked about'],
    ],
  },
  {
    feature: 'Apps: `ui/update-model-context`, `ui/download-file`, sampling',
    era: 'both',
    cells: [
      'none',
      'passed on: done by VS Code for native tools; refused in our tab, where no turn of the model belongs to the app',
      'refused: not announced',
      'none',
    ],
    tests: [
      ['test/unit/bridge/apps/appSession.test.ts', 'calls its server’s tools, reads its resources and lists them'],
    ],
  },
  {
    feature: 'Skills: list and entries (`skills/list`, `skills/get`)',
    era: 'SEP-2640, both',
    cells: [
      'done: of servers that declare them, when they are first looked for',
      'done: `mcp_load_skill`, and in the search',
      '`@mcp`: `mcp_load_skill`, as models',
      'passed on at the address of a single server, without those that are held back',
    ],
    tests: [
      ['test/unit/bridge/resources/skills.test.ts', 'come in pages; what isn’t an entry is left out'],
      ['test/unit/bridge/gateway/gatewaySkills.test.ts', 'are passed on as the server has them'],
    ],
  },
  {
    feature: 'Skills: files, verified by size, digest and frontmatter',
    era: 'SEP-2640, both',
    cells: [
      'done: read when they are asked for, never before',
      'done: with the origin said; frontmatter is left out',
      '`@mcp`: as models',
      'passed on: `resources/read`; the client verifies',
    ],
    tests: [
      ['test/unit/attacks/skills.test.ts', 'A skill whose file isn’t what its digest and its size say'],
      ['test/unit/bridge/gateway/gatewaySkills.test.ts', 'are passed on as the server has them'],
    ],
  },
  {
    feature: 'Skills: approval bound to digests',
    era: 'SEP-2640, both',
    cells: [
      'done: setting `toolPinning`',
      'done: asks, or is held back',
      'done: *Review Changed Tools…*',
      'done: asks, or is held back',
    ],
    tests: [
      ['test/unit/attacks/skills.test.ts', 'A skill that changes after the approval'],
      ['test/unit/bridge/gateway/gatewaySkills.test.ts', 'that changed are held back under block'],
    ],
  },
  {
    feature: 'Skills made as they are read (`"resources": "dynamic"`)',
    era: 'SEP-2640, both',
    cells: [
      'refused: nothing can be held against what was approved',
      'refused: listed, not loaded',
      'refused: as models',
      'passed on',
    ],
    tests: [['test/unit/attacks/skills.test.ts', 'A skill whose files are made as they are read']],
  },
  {
    feature: 'Skills: folders (`resources/directory/read`)',
    era: 'SEP-2640, both',
    cells: [
      'refused: an entry names all files, and dynamic skills aren’t loaded',
      'none: the files are named with the skill',
      'none',
      'passed on, where the server declares it; asked about as open world',
    ],
    tests: [['test/unit/bridge/gateway/gatewaySkills.test.ts', 'are asked for by nothing but what a server gave']],
  },
  {
    feature:
      'Skills as instructions of the editor’s own sessions (`chatSkills`, `.github/skills`, `~/.copilot/skills`)',
    era: 'SEP-2640, both',
    cells: [
      'none',
      'refused: `chatSkills` takes files of the extension alone, a provider isn’t stable API, and a file among the user’s skills would pass for theirs, which SEP-2640 forbids; models load skills with `mcp_load_skill`',
      'none',
      'refused: as models',
    ],
    tests: [['test/unit/bridge/resources/skills.test.ts', 'are kept in no file, so that no agent takes one']],
  },
];

/** docs/protocol.md. */
export function protocolPage() {
  const head = ['Feature', 'Era', ...SURFACES];
  const rows = PROTOCOL.map(({ feature, era, cells }) => [feature, era, ...cells]);
  const table = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  return `# Protocol

What of the Model Context Protocol is done, by feature, era and surface: *done*, *passed on*, or *refused* and why. Generated by
\`npm run docs\` from a table that names the tests of each row. “Models” have native tools through the gateway, as VS Code’s own client does.
What there is in each kind of session: [sessions.md](sessions.md).

${table}
`;
}
