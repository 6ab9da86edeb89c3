import { say } from '../../../base/say.ts';
import { LocalFault } from '../../protocol/localFault.ts';
import { ERROR_EVENT, type JudgeBody } from '../../reading/answerBodies.ts';
import { answerPage, isPage } from './htmlAnswer.ts';
import { saidIn } from './answerText.ts';
import { judgeAnswer } from './httpAnswer.ts';
import { askedIn, namesSession, type Watched } from './httpStatus.ts';

/** How much of a body is looked at, in characters. */
const MAX_CHARS = 1024 * 1024;

/**
 * Judges bodies that came with a status of success and hold no result, as `watchFetch` does those with another: servers
 * and proxies also answer 200 where they refuse.
 */
export function judgeBodies({ renewals, hasWorked, isLost, onTrouble }: Watched): JudgeBody {
  return ({ init, response, text, message, reason }) => {
    if (message === 'result') {
      if (hasWorked() && renewals.any) renewals.succeeded(askedIn(init, false).asked);
      return undefined;
    }
    const { asked, id } = askedIn(init, false);
    const body = text.slice(0, MAX_CHARS);
    const { status } = response;
    const verdict = judgeAnswer({
      asked,
      id,
      status,
      body,
      worked: hasWorked(),
      inSession: namesSession(init),
      renewed: renewals.has(asked) && !isLost(),
    });
    const page = answerPage(status, response.headers, body);
    const said = saidIn(body);
    switch (verdict.kind) {
      case 'pass':
      case 'message':
        return undefined;
      case 'renew':
        renewals.renewed(asked);
        onTrouble({ kind: 'renew', asked, status, said: said ?? say`it sent a sign-in page` });
        return new LocalFault('session-refused');
      // Only a status says so.
      case 'account':
      case 'sign-in':
        onTrouble({ kind: 'status', status, retryAfterMs: undefined, ...(page ? { page } : {}) });
        onTrouble({ kind: 'sign-in', asked, status });
        return new LocalFault('session-refused');
      case 'ignore':
      case 'failed': {
        // It may answer another request.
        if (message === 'error') return undefined;
        if (page) onTrouble({ kind: 'status', status, retryAfterMs: undefined, page });
        const title = page?.title === undefined ? '' : `, “${page.title}”`;
        const why = isPage(body)
          ? say`it is a web page${title}`
          : (reason ?? emptiness(body, status) ?? say`it is not JSON-RPC`);
        const isSaid = reason === undefined || reason === ERROR_EVENT;
        return new LocalFault('malformed', { reason: why, said: isSaid ? said : undefined });
      }
    }
  };
}

function emptiness(body: string, status: number): string | undefined {
  if (body.trim() !== '') return undefined;
  return status === 200 ? say`it is empty` : say`it is empty (HTTP ${status})`;
}
