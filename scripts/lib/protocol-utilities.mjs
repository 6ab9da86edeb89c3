// Rows of docs/protocol.md: changes, progress, what servers ask, transports and authorization.

import {
  OLDER,
  NEWEST,
  UNIT,
  PROXY,
  OUTSIDE,
  STATELESS,
  REQUESTS,
  QUESTIONS,
  PARTS,
  REMOTE,
  STDIO,
  FORM,
  CONFORMANCE,
} from './protocol-names.mjs';

/** @type {readonly import('./protocol-names.mjs').Row[]} */
export const UTILITIES = [
  {
    feature: 'List changes',
    era: 'both',
    cells: ['done: less and less where nothing has changed', 'done', 'done', 'passed on'],
    tests: [
      [REMOTE, 'of protocol 2026-07-28 connect, answer, and tell of changes'],
      [STDIO, 'tell that their tools changed'],
      [OUTSIDE, 'the list follows the servers'],
    ],
  },
  {
    feature: 'Pagination',
    era: 'both',
    cells: [
      'done: up to 500 pages of tools, 100 of other lists',
      'done: pages of our own',
      'done',
      'passed on: under cursors that fit that list and session alone; tools and prompts as one page',
    ],
    tests: [
      [`${UNIT}/bridge/resources/listResources.test.ts`, 'gives everything of every server once, page by page'],
      [`${UNIT}/attacks/gateway.test.ts`, 'A cursor of one list, server or session in another'],
    ],
  },
  {
    feature: 'Caching (`ttlMs`, `cacheScope`)',
    era: NEWEST,
    cells: [
      'done: resources and lists, an hour at most, until the server tells of a change; what came of answers of the user isn’t kept',
      'done',
      'done; what the user opens, reads or lists anew is asked for',
      'done, behind the permissions; the scope `public` counts as `private`: nothing of one account reaches another. Clients are told to keep nothing (`ttlMs` 0)',
    ],
    tests: [
      [
        `${UNIT}/connection/session/answerCache.test.ts`,
        'are asked for once: resources, their lists, and those of prompts',
      ],
      [
        `${UNIT}/connection/session/answerCache.test.ts`,
        'are asked for again where the server says that they are others',
      ],
      [`${UNIT}/attacks/answers.test.ts`, 'An answer for one account, given to another from memory'],
    ],
  },
  {
    feature: 'Progress',
    era: 'both',
    cells: ['done: it restarts the time-out', 'shown with the call', 'shown', 'passed on, under the client’s token'],
    tests: [
      [STDIO, 'report progress, which restarts the time-out'],
      [PROXY, 'progress, to the call that it belongs to'],
    ],
  },
  {
    feature: 'Cancellation',
    era: 'both',
    cells: ['done', 'done', 'done: *Cancel Call*', 'passed on, also where a client goes away'],
    tests: [
      [STDIO, 'are told of a cancellation'],
      [STATELESS, 'a client that goes away cancels its call'],
      [`${UNIT}/bridge/gatewayStubborn.test.ts`, 'its question ends with the client that goes away without a word'],
    ],
  },
  {
    feature: 'Ping',
    era: OLDER,
    cells: ['done: answered; sent to remote servers at rest, where any answer means alive', 'none', 'none', 'done'],
    tests: [
      [`${UNIT}/connection/httpCases.test.ts`, 'any answer to a ping means that the server is alive'],
      ['test/conformance/servers.mjs', 'The server scenarios'],
    ],
  },
  {
    feature: 'Log of the server (`logging/setLevel`, notifications)',
    era: `${OLDER}; deprecated in ${NEWEST}`,
    cells: [
      'done: `logLevel` in the definition',
      'none',
      'shown: output channel, *Inspector*',
      'passed on, from each client’s level',
    ],
    tests: [
      [REQUESTS, 'is only as much as wanted, of a'],
      [PROXY, 'the server’s log, from the level that the client wants'],
    ],
  },
  {
    feature: 'Log of the server (level in `_meta`)',
    era: `${NEWEST} (deprecated there)`,
    cells: [
      'done: with each call',
      'none',
      'shown: output channel, *Inspector*',
      'passed on, from each client’s level',
    ],
    tests: [
      [REQUESTS, 'is only as much as wanted, of a'],
      [STATELESS, 'the server’s log, to the requests that want it'],
      [PROXY, 'the server’s log, from the level that the client wants'],
    ],
  },
  {
    feature: 'Elicitation: forms, with defaults (SEP-1034), titles and several choices (SEP-1330)',
    era: '2025-06-18 and later',
    cells: [
      'done; also references, values that may be `null`, and choices without a type, as libraries write them',
      'asked in the chat of the call',
      'asked in the editor',
      'asked in the editor, or passed on where `outsideQuestions` is `client`',
    ],
    tests: [
      [FORM, 'has each kind of field that the specification has'],
      [FORM, 'has fields as libraries write them'],
      [`${UNIT}/connection/forms.test.ts`, 'and the server gets the answer'],
      [PROXY, 'a server’s question comes up in the call, with the server named'],
    ],
  },
  {
    feature: 'Elicitation: URLs, their error and their end',
    era: '2025-11-25 and later',
    cells: [
      'done',
      'asked in the editor, with the whole address',
      'asked in the editor',
      'asked in the editor: an agent doesn’t show it whole',
    ],
    tests: [
      [QUESTIONS, 'an address is asked for, also by the error that needs one, and its end is told'],
      [`${UNIT}/bridge/serverQuestions/shownAddress.test.ts`, 'servers’ questions: addresses to open'],
    ],
  },
  {
    feature: 'Input that a request needs first (`input_required`)',
    era: NEWEST,
    cells: [
      'done: forms, sampling, roots, in as many rounds as it takes',
      'asked as forms are',
      'asked in the editor',
      'done: what the server, and the permissions, need is asked so of clients of 2026-07-28, and by requests of those before; a call waits ten minutes for its client',
    ],
    tests: [
      [QUESTIONS, 'a later server’s form is asked for in the same way'],
      [STATELESS, 'the server’s question is what the call needs'],
      [STATELESS, 'a client that stays away holds up nobody'],
      [PROXY, 'a server’s question comes up in the call, with the server named'],
      CONFORMANCE,
    ],
  },
  {
    feature: 'Sampling',
    era: `both; deprecated in ${NEWEST}`,
    cells: [
      'done: with the editor’s models, after the user’s approval; tools in it only where `sampling.allowTools` is on',
      'answered by Switchboard',
      'answered by Switchboard',
      'answered by Switchboard; passed on where `outsideQuestions` is `client` and the client has it',
    ],
    tests: [
      [QUESTIONS, 'sampling is offered to those that may, and asked for in either era'],
      [PROXY, 'sampling is answered by ourselves'],
      [PROXY, 'a client with models of its own that is asked about its calls answers sampling of its call'],
    ],
  },
  {
    feature: 'Roots',
    era: `both; deprecated in ${NEWEST}`,
    cells: [
      'done: the workspace’s folders, as `roots` says; changes are told in the older versions',
      'none',
      'none',
      'answered by Switchboard; within a request of 2026-07-28 by its client, where `outsideQuestions` is `client`, the server asks so, and `roots` isn’t set',
    ],
    tests: [
      [REQUESTS, 'its roots: are told, and when they change'],
      [QUESTIONS, 'roots are those that are set for the server'],
      ['test/conformance/servers.mjs', 'The server scenarios'],
    ],
  },
  {
    feature: 'Instructions of the server',
    era: 'both',
    cells: [
      'done; pinned: after a change the approved ones hold until it is reviewed',
      'done: a line of each server',
      'shown',
      'passed on, those that are approved',
    ],
    tests: [
      [`${UNIT}/attacks/decisions.test.ts`, 'Instructions that change after the approval'],
      [PROXY, 'speaks that era with it, and has all that it has'],
    ],
  },
  {
    feature: '`_meta` of a client’s request, and of the result',
    era: 'both',
    cells: [
      'done: keys of the protocol are the connection’s own',
      'refused: a model can’t set it',
      'refused: the API has no place for it',
      'passed on both ways, `traceparent` among it; `progressToken` and `io.modelcontextprotocol/…` are not',
    ],
    tests: [
      [PROXY, '_meta of a call goes to the server and back, but for what only a connection says'],
      [`${UNIT}/bridge/gatewayStubborn.test.ts`, 'a resource is read with what the client says of the request'],
    ],
  },
  {
    feature: 'Errors: of the protocol, and of a tool (`isError`)',
    era: 'both',
    cells: [
      'done: with the server’s code, in any form',
      'done: the reason, and what to do',
      'done',
      'passed on: errors keep their code; what a model should read is a tool’s error',
    ],
    tests: [
      [PARTS, 'makes an error of isError, with its text, cut'],
      [`${UNIT}/bridge/gateway/gateway.test.ts`, 'gives a failed tool and wrong arguments as the tool’s error'],
      [PROXY, 'a server’s error keeps its code'],
    ],
  },
  {
    feature: 'Batches of messages',
    era: '2025-03-26',
    cells: ['taken, where a server sends one; none is sent', 'none', 'none', 'refused: gone since 2025-06-18'],
    tests: [
      [`${UNIT}/connection/oddAnswers.test.ts`, 'are taken for what they mean'],
      [`${UNIT}/bridge/gatewayHostile.test.ts`, 'a batch, an id that is none, a protocol that isn’t spoken'],
    ],
  },
  {
    feature: 'Transport: stdio',
    era: 'both',
    cells: ['done', 'none', 'none', 'done: a command that connects to the window'],
    tests: [
      [STDIO, 'of protocol 2026-07-28 are started once, and tell that their tools changed'],
      [OUTSIDE, 'the script is where it stays'],
    ],
  },
  {
    feature: 'Transport: Streamable HTTP, sessions, resumed streams',
    era: 'both',
    cells: ['done', 'none', 'none', 'done where the user turns it on; without resuming, which is optional'],
    tests: [
      [REMOTE, 'that forget the session get a new one, with everything fetched anew'],
      [OUTSIDE, 'over HTTP, where the user allows it'],
      CONFORMANCE,
    ],
  },
  {
    feature: 'Transport: HTTP+SSE; WebSocket (not of the protocol)',
    era: `${OLDER}; HTTP+SSE deprecated since 2025-03-26`,
    cells: ['done', 'none', 'none', 'refused: both have been replaced'],
    tests: [
      [REMOTE, 'of protocol 2024-11-05 connect as sse'],
      [`${UNIT}/connection/transports.test.ts`, 'ws: headers, subprotocol, calls'],
    ],
  },
  {
    feature: 'Headers that repeat the method, the name and arguments (`x-mcp-header`)',
    era: NEWEST,
    cells: ['done', 'done', 'done', 'done both ways; the command of an agent has none, since nothing is between'],
    tests: [[STATELESS, 'headers that say something else than the request are refused'], CONFORMANCE],
  },
  {
    feature: 'Authorization: metadata, PKCE, registration, client documents, `iss`, scopes',
    era: 'both',
    cells: [
      'done',
      'the user signs in in the editor',
      'done: *Sign In*',
      'the user signs in in the editor; the gateway’s own access is the socket of the user, or a token',
    ],
    tests: [
      [`${UNIT}/connection/auth/signIn.test.ts`, 'the first sign-in: registers, asks, opens the browser, and connects'],
      [`${UNIT}/connection/auth/clientDocument.test.ts`, 'is the client id where the authorization server takes one'],
      [OUTSIDE, 'access is off until asked for'],
      CONFORMANCE,
    ],
  },
  {
    feature: 'Authorization extensions: client credentials, enterprise-managed, DPoP, workload identity',
    era: 'extensions',
    cells: ['done: `oauth` in the definition', 'none', 'none', 'none'],
    tests: [
      [`${UNIT}/connection/auth/machine.test.ts`, 'tokens of a client that no person answers for'],
      [`${UNIT}/connection/auth/dpop.test.ts`, 'are sent with a proof of their own for each request'],
      [`${UNIT}/connection/auth/assertion.test.ts`, 'are asked for with the assertion of the entry'],
      CONFORMANCE,
    ],
  },
];
