import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { refusesSession, saidIn, saysSessionIsGone } from '../../../../../src/connection/remote/answers/answerText.ts';
import { isSignInPage } from '../../../../../src/connection/remote/answers/htmlAnswer.ts';
import {
  ASKED,
  judgeAnswer,
  type Asked,
  type HttpVerdict,
} from '../../../../../src/connection/remote/answers/httpAnswer.ts';
import { answersPage, BODIES, SITUATIONS, STATUSES } from './answerTable.ts';

const page = new URL('../../../../../docs/http-answers.md', import.meta.url);
const OPTIONAL: ReadonlySet<Asked> = new Set(['stream', 'end', 'notification', 'ping', 'discover']);

/** Every request × status × body × situation. */
function each(
  check: (cell: {
    asked: Asked;
    status: number;
    body: string;
    situation: string;
    verdict: HttpVerdict['kind'];
  }) => void,
): void {
  for (const asked of ASKED)
    for (const status of STATUSES)
      for (const [body, text] of Object.entries(BODIES))
        for (const [situation, state] of Object.entries(SITUATIONS)) {
          const { kind } = judgeAnswer({ asked, id: 7, status, body: text, ...state });
          check({ asked, status, body, situation, verdict: kind });
        }
}

describe('what an HTTP answer means', () => {
  it('says that a sign-in is needed where a refused `server/discover` says how', () => {
    const answer = {
      asked: 'discover',
      id: 7,
      status: 401,
      body: '',
      worked: false,
      inSession: false,
      renewed: false,
    } as const;
    assert.equal(judgeAnswer({ ...answer, challenges: true }).kind, 'sign-in');
    assert.equal(judgeAnswer(answer).kind, 'ignore');
  });

  it('says that the request alone needs an account where others are answered without one', () => {
    each(({ asked, status, body, situation, verdict }) => {
      const state = { ...SITUATIONS[situation], worked: situation !== 'in the handshake' };
      const answer = { asked, id: 7, status, body: BODIES[body] ?? '', inSession: false, renewed: false, ...state };
      const isOwn = status === 401 && state.worked && ['call', 'other'].includes(asked);
      const anonymous = judgeAnswer({ ...answer, isAnonymous: true }).kind;
      assert.equal(anonymous, isOwn && situation.startsWith('renewed') ? 'account' : verdict);
      const challenged = judgeAnswer({ ...answer, isAnonymous: true, challenges: true }).kind;
      assert.equal(challenged === 'account', isOwn);
    });
  });

  it('is documented as it is decided (docs/http-answers.md)', () => {
    const text = answersPage();
    if (process.env['UPDATE_FAULTS']) writeFileSync(page, text);
    assert.equal(readFileSync(page, 'utf8'), text, 'run the unit tests with UPDATE_FAULTS=1');
  });

  it('is never fatal for what is optional, but for a session that the server itself says is gone', () => {
    each(({ asked, verdict, body, situation }) => {
      if (!OPTIONAL.has(asked)) return;
      // A probe that isn't answered is one of a legacy server.
      if (asked !== 'discover') assert.notEqual(verdict, 'failed');
      assert.notEqual(verdict, 'sign-in');
      if (verdict === 'renew') assert.ok(body.startsWith('session') && situation === 'in a session');
    });
  });

  it('is a sign-in only after one new session', () => {
    each(({ asked, status, body, situation, verdict }) => {
      if (verdict !== 'sign-in') return;
      const isPage = status < 300 && body === 'a sign-in page';
      assert.ok(
        isPage || status === 401 || (status === 403 && (situation === 'in the handshake' || asked === 'initialize')),
      );
      if (asked !== 'initialize') assert.ok(situation === 'in the handshake' || situation.startsWith('renewed'));
    });
  });

  it('renews a session once at most', () => {
    each(({ situation, verdict }) => {
      if (situation.startsWith('renewed') || situation === 'in the handshake') assert.notEqual(verdict, 'renew');
    });
  });

  it('renews a lost session whatever its status is', () => {
    each(({ asked, status, body, situation, verdict }) => {
      if (situation !== 'in a session' || !['list', 'call', 'other'].includes(asked)) return;
      const isLost = [400, 401, 403, 404, 410, 419, 422, 440].includes(status);
      const isAnswer = ['JSON-RPC error, same id', 'a result'].includes(body) && status !== 401;
      const isSaid =
        ([200, 202].includes(status) && body === 'a sign-in page') ||
        (([200, 202].includes(status) || status >= 400) && body.startsWith('session'));
      assert.equal(verdict === 'renew', (isLost && !isAnswer) || isSaid);
    });
  });

  it('takes a JSON-RPC error with the id of the request for the answer', () => {
    each(({ asked, status, body, situation, verdict }) => {
      if (body !== 'JSON-RPC error, same id' || !['list', 'call', 'other'].includes(asked)) return;
      if (situation !== 'in the handshake' && [400, 404, 405, 409, 410, 422, 500, 501].includes(status))
        assert.equal(verdict, 'message');
    });
  });

  it('says that a session is gone in any wording', () => {
    for (const text of [
      'Unauthorized: Session not found',
      'Bad Request: No valid session ID provided',
      'Bad Request: Mcp-Session-Id header is required',
      'Missing session ID',
      'Invalid or missing session ID',
      'Session has been terminated',
      'unknown session',
      'Session expired',
      'Server not initialized',
      'Unexpected message, expect initialize request',
      '{"code":-32001,"message":"Mcp-Session-Id principal mismatch"}',
      '{"jsonrpc":"2.0","id":"server-error","error":{"code":-32600,"message":"Session not found"}}',
      '{"error":"session_not_found"}',
      '{"detail":"Could not find session"}',
      '{"error":"No transport found for sessionId"}',
    ])
      assert.ok(saysSessionIsGone(text), text);
    for (const text of ['', 'Forbidden', '{"error":"unknown method"}', 'the folder "Sent" is missing'])
      assert.ok(!saysSessionIsGone(text), text);
  });

  it('takes no error of a tool for the loss of the session', () => {
    const error = (code: number, message: string): string =>
      JSON.stringify({ jsonrpc: '2.0', id: 7, error: { code, message } });
    assert.ok(refusesSession(error(-32001, 'Session not found')));
    assert.ok(refusesSession(error(-32600, 'Invalid Request: unknown session')));
    assert.ok(refusesSession('{"error":"session_not_found"}'));
    assert.ok(!refusesSession(error(-32603, 'browser session 3 not found')));
    assert.ok(!refusesSession(error(-32602, 'sessionId is required')));
    assert.ok(!refusesSession('{"jsonrpc":"2.0","id":7,"result":{"error":"session not found"}}'));
  });

  it('knows a page to sign in', () => {
    for (const page of [
      '<!doctype html><html><head><title>Sign in · Corp</title>',
      '\ufeff\n<html><body><form action="/login"><input name=p type="password">',
      '<html><form method=post action="https://sso.corp/saml2/idp">',
      '<HTML><TITLE>Corp SSO</TITLE>',
    ])
      assert.ok(isSignInPage(page), page);
    for (const page of ['', '<html><title>Welcome</title>', '{"title":"Sign in"}', 'Sign in'])
      assert.ok(!isSignInPage(page), page);
  });

  it('passes on the sentence of the server', () => {
    assert.equal(saidIn('{"error":{"message":"field \\"amount\\": no number"}}'), 'field "amount": no number');
    assert.equal(saidIn('{"error":"header X-Workspace-Id is required"}'), 'header X-Workspace-Id is required');
    assert.equal(saidIn('{"detail":[{"loc":["body"],"msg":"field required"}]}'), 'field required');
    assert.equal(saidIn('{"error":"invalid_token","error_description":"It expired"}'), 'It expired');
    assert.equal(saidIn('{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"locked"}}'), 'locked');
    assert.equal(saidIn('\ufeff a text\r\nof two lines '), 'a text of two lines');
    assert.equal(saidIn('<!doctype html><title>x</title>'), undefined);
    assert.equal(saidIn('{}'), undefined);
    assert.equal(saidIn(''), undefined);
    assert.ok((saidIn('x'.repeat(50_000))?.length ?? 0) < 1100);
  });
});
