// Rows of docs/protocol.md: versions, and what servers offer.

import {
  OLDER,
  NEWEST,
  UNIT,
  PROXY,
  OUTSIDE,
  STATELESS,
  REQUESTS,
  QUESTIONS,
  ITEMS,
  PARTS,
  REMOTE,
  STDIO,
  CONFORMANCE,
} from './protocol-names.mjs';

/** @type {readonly import('./protocol-names.mjs').Row[]} */
export const OFFERS = [
  {
    feature: 'Versions and the handshake (`initialize`)',
    era: OLDER,
    cells: [
      'done: the newest that both speak; a server that refuses a version or a capability is asked with less',
      'none',
      'none',
      'done: each of these versions',
    ],
    tests: [
      [REMOTE, 'of protocol 2024-11-05 connect as sse'],
      [REMOTE, 'of protocol 2025-11-25 connect'],
      [`${UNIT}/connection/legacyVersions.test.ts`, 'the newest older version that is named is offered'],
      ['test/conformance/servers.mjs', 'The server scenarios'],
    ],
  },
  {
    feature: '`server/discover`, requests without a session',
    era: NEWEST,
    cells: [
      'done: asked first; a server that doesn’t know it is asked once a day',
      'none',
      'none',
      'done, in front of servers of either era',
    ],
    tests: [
      [REMOTE, 'of protocol 2026-07-28 connect'],
      [`${UNIT}/connection/transports.test.ts`, 'a server that does not know the era probe gets it once a day'],
      [STATELESS, 'a client of the SDK finds it by server/discover'],
      [OUTSIDE, 'a client of the newer generation'],
      ['test/conformance/servers.mjs', 'The server scenarios'],
    ],
  },
  {
    feature: 'Capabilities of the client',
    era: 'both',
    cells: [
      'done: roots, elicitation by forms and URLs; sampling and Apps only where they are answered and drawn; tasks (SEP-2663). What isn’t declared is refused',
      'none',
      'none',
      'a client that declares forms or sampling is asked where `outsideQuestions` is `client`',
    ],
    tests: [
      [REQUESTS, 'is refused where it is not declared'],
      [QUESTIONS, 'sampling is offered to those that may'],
      [OUTSIDE, 'where the user lets agents answer, one that shows forms is asked, once'],
    ],
  },
  {
    feature: 'Capabilities of the server',
    era: 'both',
    cells: [
      'done: what a server doesn’t declare isn’t asked for',
      'done',
      'done',
      'passed on: what the server has; lists may always change, since an address outlives its server',
    ],
    tests: [[PROXY, 'speaks that era with it, and has all that it has']],
  },
  {
    feature: 'Tools: list and call',
    era: 'both',
    cells: [
      'done',
      'done: search and `mcp_call_tool`, or natively',
      'done',
      'passed on: with the server’s own schemas to clients of 2026-07-28 outside the editor, and to others that ask for them; else in a form that every model’s provider takes. Calls are validated by the original',
    ],
    tests: [
      [OUTSIDE, 'schemas as the server has them for who has all of JSON Schema'],
      [STATELESS, 'the editor’s agent has schemas in a form'],
      [STDIO, 'of protocol 2025-11-25 connect, list their tools and answer calls'],
      [`${UNIT}/bridge/gateway/gateway.test.ts`, 'runs a read-only call with no question'],
      [OUTSIDE, 'all tools by their callable names'],
      CONFORMANCE,
    ],
  },
  {
    feature: 'Tools: titles, annotations, `_meta`',
    era: 'both',
    cells: [
      'done',
      'done: they decide, as far as `trustAnnotations` says; native tools are all listed as read-only, since Switchboard asks',
      'shown',
      'passed on',
    ],
    tests: [
      [PROXY, 'title, icons, _meta and output schema of a tool'],
      [`${UNIT}/bridge/gateway/gateway.test.ts`, 'lists every tool as reading only, and the true hints beside it'],
      [OUTSIDE, 'with their true annotations'],
    ],
  },
  {
    feature: 'Tools: `execution.taskSupport`',
    era: '2025-11-25',
    cells: [
      'done: what must or may run as a task does',
      'done: native tools without it, since VS Code makes no tasks: Switchboard runs the task and waits',
      'done',
      'passed on: as `optional`, since a client that makes no tasks is waited for',
    ],
    tests: [
      [`${UNIT}/bridge/gateway/outside/outsideTasks.test.ts`, 'by the SDK’s own client, which asks by itself'],
      [`${UNIT}/connection/taskCall.test.ts`, 'tools that only run as tasks'],
    ],
  },
  {
    feature: 'Structured content and output schemas',
    era: 'both',
    cells: [
      'done',
      'done: each once; structured content where no text has it',
      'done',
      'passed on: a denied call of such a tool is an error, since clients validate every other answer',
    ],
    tests: [
      [PARTS, 'gives structured content once, where no text has it already'],
      [PROXY, 'a call that nobody grants is an error for a client that holds answers against a schema'],
    ],
  },
  {
    feature: 'Content: text, images, sounds, embedded resources, unknown types',
    era: 'both',
    cells: ['done', 'done: images by their bytes, unknown types as JSON', 'done', 'passed on as they are'],
    tests: [
      [PARTS, 'gives sounds as data'],
      [PARTS, 'describes resources, and shows blocks of an unknown type as JSON'],
      [PROXY, 'blocks of every type as they are'],
    ],
  },
  {
    feature: 'Resource links in results',
    era: '2025-06-18 and later',
    cells: [
      'done',
      'done: read on demand with `mcp_read_resource`, by the policy; never by themselves',
      'shown',
      'passed on',
    ],
    tests: [
      [PARTS, 'describes resources, and shows blocks of an unknown type as JSON'],
      ['test/host/calls.ts', 'a resource that a result links to is read on demand'],
    ],
  },
  {
    feature: 'Icons of servers and tools',
    era: '2025-11-25 and later',
    cells: [
      'done: `data:`, or the server’s own origin; PNG, JPEG, WebP. SVG and moving pictures refused',
      'passed on to VS Code: those that are `data:`',
      'drawn in tooltips and *Inspector*',
      'passed on: those that are `data:`; a client may fetch others only from the server that it talks to',
    ],
    tests: [
      [`${UNIT}/connection/icons/drawableIcon.test.ts`, 'are still PNG, JPEG and WebP, by their bytes'],
      [`${UNIT}/attacks/icons.test.ts`, 'An icon at an address of somebody else'],
      [PROXY, 'title, icons, _meta and output schema of a tool'],
    ],
  },
  {
    feature: 'Icons of resources, templates and prompts',
    era: '2025-11-25 and later',
    cells: ['kept', 'none', 'refused: their rows say by icons what they are', 'passed on: those that are `data:`'],
    tests: [[`${UNIT}/attacks/icons.test.ts`, 'leads a client of the gateway elsewhere']],
  },
  {
    feature: 'Resources: lists, templates, reading',
    era: 'both',
    cells: [
      'done',
      'done: `mcp_list_resources`, `mcp_read_resource`, search',
      'done: *Open Resource…*, tree, *Inspector*; templates are filled in',
      'passed on, at the address of one server',
    ],
    tests: [
      [ITEMS, 'a resource is read through the broker, as text or as bytes'],
      [`${UNIT}/bridge/resources/uriTemplate.test.ts`, 'resource templates (RFC 6570)'],
      [PROXY, 'prompts, completion, templates, binary resources'],
      [OUTSIDE, 'one server by its name, with what else it has'],
    ],
  },
  {
    feature: 'Subscriptions (`resources/subscribe`)',
    era: OLDER,
    cells: [
      'done: again after a reconnection',
      'none',
      'done: for documents that are open',
      'passed on; they outlast a restart of the server',
    ],
    tests: [
      [ITEMS, 'a followed resource is told of, over a restart, too'],
      [PROXY, 'changed lists, and changed resources that were subscribed to'],
    ],
  },
  {
    feature: 'Subscriptions (`subscriptions/listen`)',
    era: NEWEST,
    cells: [
      'done: for lists and for single resources; opened again with pauses',
      'none',
      'done: for documents that are open',
      'done, for lists and single resources, in front of servers of either era',
    ],
    tests: [
      [PROXY, 'changed lists, and changed resources that were subscribed to'],
      [STATELESS, 'a stream of changes has what was asked for'],
      [`${UNIT}/connection/neverResting.test.ts`, 'a stream that ends again and again is opened with longer pauses'],
    ],
  },
  {
    feature: 'Prompts',
    era: 'both',
    cells: [
      'done; pinned, as tools are',
      'done: `mcp_get_prompt`',
      'done: *Run Prompt…*, `@mcp`, *Inspector*',
      'passed on, at the address of one server',
    ],
    tests: [
      [ITEMS, 'a prompt is filled in, with its resource named and fenced'],
      [`${UNIT}/catalog/items/pinnedItems.test.ts`, 'a client of the gateway gets no blocked prompt'],
      [PROXY, 'prompts, completion, templates, binary resources'],
    ],
  },
  {
    feature: 'Completion of arguments',
    era: 'both',
    cells: [
      'done: with the arguments that are filled in already',
      'none: a model knows what it writes',
      'done: arguments of prompts, variables of templates; *Propose Values* in *Inspector*',
      'passed on, where the policy allows it without a question',
    ],
    tests: [
      [ITEMS, 'arguments are completed, and what can’t be completed is no failure'],
      [
        'test/unit/ui/pages/inspector/inspectorPage.test.ts',
        'proposes values for arguments, with what the others hold',
      ],
      [PROXY, 'prompts, completion, templates, binary resources'],
    ],
  },
];
