import {
  ASKED,
  judgeAnswer,
  type Asked,
  type HttpAnswer,
} from '../../../../../src/connection/remote/answers/httpAnswer.ts';

export const STATUSES = [
  200, 202, 204, 302, 307, 400, 401, 402, 403, 404, 405, 406, 408, 409, 410, 415, 419, 422, 429, 440, 500, 501, 502,
  503, 504,
] as const;

/** Bodies of answers to the request 7. */
export const BODIES: Readonly<Record<string, string>> = {
  nothing: '',
  'a web page': '<!doctype html><title>Welcome</title>',
  'a sign-in page': '<!doctype html><title>Sign in</title>',
  'a result': '{"jsonrpc":"2.0","id":7,"result":{}}',
  'JSON-RPC error, same id': '{"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"no account of that name"}}',
  'JSON-RPC error, no id': '{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"no account of that name"}}',
  'plain error': '{"error":"no account of that name"}',
  'session not found, JSON-RPC': '{"jsonrpc":"2.0","id":7,"error":{"code":-32001,"message":"Session not found"}}',
  'session not found, text': 'Bad Request: No valid session ID provided',
};

export const SITUATIONS: Readonly<Record<string, Pick<HttpAnswer, 'worked' | 'inSession' | 'renewed'>>> = {
  'in the handshake': { worked: false, inSession: false, renewed: false },
  'without a session': { worked: true, inSession: false, renewed: false },
  'in a session': { worked: true, inSession: true, renewed: false },
  'renewed, without a session': { worked: true, inSession: false, renewed: true },
  renewed: { worked: true, inSession: true, renewed: true },
};

const REQUESTS: Readonly<Record<Asked, string>> = {
  stream: 'GET, the stream of a session',
  sse: 'GET, the stream of HTTP+SSE',
  end: 'DELETE',
  notification: 'POST of a notification or an answer',
  ping: 'POST `ping`',
  discover: 'POST `server/discover`',
  initialize: 'POST `initialize`',
  list: 'POST `tools/list`',
  call: 'POST `tools/call`',
  other: 'POST of another request',
};

/** docs/http-answers.md: per request, what each status means; statuses and bodies that mean the same are in one row. */
export function answersPage(): string {
  return `${HEAD}\n${ASKED.map((asked) => section(asked)).join('\n')}`;
}

const HEAD = `# HTTP answers

What an HTTP answer means, by the request that it answers, what its body holds, and whether the
session has worked. This page is made from the function that decides it (\`UPDATE_FAULTS=1\` with the unit tests of
\`connection\`).

- **ignore**: nothing; what was asked is optional, and the server is alive.
- **pass**: the transport deals with it: a redirect, a stream that is opened again later, or what is as it should be.
- **message**: the body is the JSON-RPC answer to the request, with its id.
- **renew**: the session is gone. A new one is made at once; what only reads is sent again, what may have written isn't.
- **sign-in**: the user must sign in or correct a header.
- **account**: this request needs a sign-in, and nothing else does.
- **failed**: this request failed, and nothing else. The server's own sentence is passed on. A request that is answered
  with 202 and no body fails at once; where a stream is open on which its answer can still come, it is waited for as for
  any other, and fails when no such stream has been open for 10 s.

“Renewed” means that the session was made anew within the last five minutes because of such a request, and none has
succeeded since.

The table is for answers that don't say how to be authorized. With that (\`WWW-Authenticate: Bearer\` or \`DPoP\`), a 401 to
\`server/discover\` is a **sign-in**: a server of 2026-07-28 alone answers \`initialize\` with another status.

It is also for requests with an account, or of servers that there is none for. Where one can be signed in to and the request
had none, a 401 to a request other than \`initialize\` and \`tools/list\` is an **account**: at once where it says how to be
authorized, else where it is a **sign-in** in the table.
`;

function section(asked: Asked): string {
  const columns = Object.keys(SITUATIONS);
  const rows = new Map<string, { readonly statuses: number[]; readonly body: string; readonly cells: string }>();
  for (const [body, text] of Object.entries(BODIES))
    for (const status of STATUSES) {
      const cells = Object.values(SITUATIONS)
        .map((state) => judgeAnswer({ asked, id: 7, status, body: text, ...state }).kind)
        .join(' | ');
      const key = `${body} ${cells}`;
      const row = rows.get(key) ?? { statuses: [], body, cells };
      row.statuses.push(status);
      rows.set(key, row);
    }
  const merged = new Map<string, { readonly bodies: string[]; readonly statuses: string; readonly cells: string }>();
  for (const { statuses, body, cells } of rows.values()) {
    const key = `${statuses.join()} ${cells}`;
    const row = merged.get(key) ?? { bodies: [], statuses: statuses.join(', '), cells };
    row.bodies.push(body);
    merged.set(key, row);
  }
  const all = Object.keys(BODIES).length;
  const lines = [...merged.values()].map(
    ({ bodies, statuses, cells }) =>
      `| ${statuses.split(', ').length === STATUSES.length ? 'any' : statuses} | ${bodies.length === all ? 'any' : bodies.join('; ')} | ${cells} |`,
  );
  const head = `| Status | Body | ${columns.join(' | ')} |\n|${' --- |'.repeat(columns.length + 2)}`;
  return `## ${REQUESTS[asked]}\n\n${head}\n${lines.join('\n')}\n`;
}
