import { strict as assert } from 'node:assert';
import { deferred } from '../../../../src/base/async.ts';
import type { JsonObject } from '../../../../src/base/json/json.ts';
import { elicitInCall } from '../../../../src/bridge/serverQuestions/inCallElicitation.ts';
import { CallsInProgress } from '../../../../src/calls/scheduling/callsInProgress.ts';
import type { Surface } from '../../../../src/calls/callTypes.ts';
import type { ServerQuestion } from '../../../../src/connection/serverQuestionTypes.ts';

const FORM = { message: 'Who?', requestedSchema: { type: 'object', properties: {} } };

describe('a server’s question during calls', () => {
  let inProgress: CallsInProgress;
  const ends = deferred<void>();
  const begin = (serverId: string, surface: Surface = 'gateway', fails = false): void => {
    const elicitInCall = async (params: JsonObject): Promise<JsonObject> => {
      if (fails) throw new Error('gone');
      return { action: 'accept', said: params['message'] ?? '' };
    };
    const surfaceContext = { askInCall: async () => undefined, elicitInCall };
    const call = { name: 'x', args: {}, surface, signal: new AbortController().signal, surfaceContext };
    void inProgress.during(serverId, call, () => ends.promise);
  };
  const asked = (params: JsonObject = FORM): Promise<JsonObject> | undefined => {
    const question: ServerQuestion = { server: { id: 'a', name: 'A' }, params, signal: new AbortController().signal };
    return elicitInCall(question, inProgress, (server, message) => `${server}: ${message}`);
  };

  beforeEach(() => {
    inProgress = new CallsInProgress();
  });
  after(() => ends.resolve());

  it('comes up where the only one came from, with the server named', async () => {
    begin('a');
    begin('b');
    assert.deepEqual(await asked(), { action: 'accept', said: 'A: Who?' });
  });

  it('comes up elsewhere where it works on none, or on several: whose it is can’t be told', () => {
    assert.equal(asked(), undefined);
    begin('a');
    begin('a');
    assert.equal(asked(), undefined);
  });

  it('comes up elsewhere where it is an address to open, or the call came from anywhere but the gateway', () => {
    begin('a');
    assert.equal(asked({ mode: 'url', url: 'https://a.example', message: 'Sign in' }), undefined);
    assert.equal(asked({ message: 'no form' }), undefined);
    inProgress = new CallsInProgress();
    begin('a', 'api');
    assert.equal(asked(), undefined);
  });

  it('is cancelled where nobody answers there', async () => {
    begin('a', 'gateway', true);
    assert.deepEqual(await asked(), { action: 'cancel' });
  });
});
