import { strict as assert } from 'node:assert';
import { SwitchboardError } from '../../../src/base/errors.ts';
import { Rig } from './rig.ts';

describe('broker', () => {
  it('runs a read-only tool without a question', async () => {
    const rig = new Rig();
    assert.equal(await rig.call('list_notes'), 'ran list_notes');
    assert.equal(rig.asked.length, 0);
  });

  it('asks before a destructive tool; denied, nothing runs and the model is told why', async () => {
    const rig = new Rig();
    const text = await rig.fails('denied', 'delete_note', { title: 'a' });
    assert.match(text, /^The user denied .*because this tool is marked destructive/);
    assert.deepEqual(rig.ran, []);
    assert.deepEqual(rig.asked[0]?.args, { title: 'a' });
  });

  it('counts a dismissed question as a denial', async () => {
    const rig = new Rig();
    rig.answer = undefined;
    await rig.fails('denied', 'delete_note');
    assert.deepEqual(rig.ran, []);
  });

  it('asks anew each time after "once", and no more after "session" or "always"', async () => {
    for (const [answer, questions] of [
      ['once', 2],
      ['session', 1],
      ['always', 1],
    ] as const) {
      const rig = new Rig();
      rig.answer = answer;
      await rig.call('delete_note');
      await rig.call('delete_note');
      assert.equal(rig.asked.length, questions, answer);
      assert.equal(rig.ran.length, 2);
    }
  });

  it('"always" for one tool opens no other, and ends when the definition changes', async () => {
    const rig = new Rig();
    rig.answer = 'always';
    await rig.call('delete_note');
    rig.answer = 'deny';
    await rig.fails('denied', 'delete_all');
    await rig.call('delete_note');
    rig.fingerprint = 'f2';
    await rig.fails('denied', 'delete_note');
  });

  it('asks once per server before it reaches the open world', async () => {
    const rig = new Rig();
    rig.answer = 'once';
    await rig.call('fetch');
    await rig.call('fetch');
    assert.equal(rig.asked.length, 1);
    rig.answer = 'deny';
    await rig.fails('denied', 'delete_note');
  });

  it('answers wrong arguments with what to fix, before any question', async () => {
    const rig = new Rig();
    const text = await rig.fails('invalid-arguments', 'delete_note', { titel: 'a' });
    assert.match(text, /no property "titel"; did you mean "title"\?/);
    assert.match(text, /"type":"object"/);
    assert.equal(rig.asked.length + rig.ran.length, 0);
  });

  it('answers an unknown name with the nearest ones', async () => {
    const text = await new Rig().fails('unknown-tool', 'list_note');
    assert.match(text, /list_notes/);
  });

  it('goes on when the list was only fetched anew meanwhile', async () => {
    const rig = new Rig();
    rig.answer = () => {
      rig.setTools();
      return 'once';
    };
    assert.equal(await rig.call('delete_note'), 'ran delete_note');
  });

  it('keeps every call in the history with its reason, never with arguments', async () => {
    const rig = new Rig();
    await rig.call('list_notes');
    await rig.fails('denied', 'delete_note', { title: 's3cret' });
    await rig.fails('unknown-tool', 'nothing');
    assert.deepEqual(
      rig.calls.history.entries.map(({ decision, answer, result, attempts }) => [
        decision?.action,
        answer,
        result,
        attempts,
      ]),
      [
        ['allow', undefined, 'ok', 1],
        ['ask', 'deny', 'denied', 0],
        [undefined, undefined, 'unknown-tool', 0],
      ],
    );
    assert.ok(!JSON.stringify(rig.calls.history.entries).includes('s3cret'));
  });

  it('keeps arguments and results only where that is set, masked', async () => {
    const rig = new Rig({ settings: { historyContent: true } });
    rig.answer = 'once';
    rig.serve = async () => ({ content: [{ type: 'text', text: 'made ghp_abcdefghijklmnopqrstuvwx' }] });
    await rig.call('delete_note', { title: 'a', token: 's3cret' });
    const [entry] = rig.calls.history.entries;
    assert.match(entry?.args ?? '', /"title": "a"/);
    assert.equal(entry?.content, 'made •••');
    assert.ok(!JSON.stringify(entry).includes('s3cret'));
  });

  it('gives the model the user’s message with a denial', async () => {
    const rig = new Rig();
    rig.answer = { deny: 'Ask my colleague first.' };
    assert.match(await rig.fails('denied', 'delete_note'), /^The user denied .*Ask my colleague first\.$/);
  });

  it('takes nothing but our own answers for an answer', async () => {
    const rig = new Rig();
    rig.answer = 'yes' as 'once';
    await rig.fails('denied', 'delete_note');
    assert.deepEqual(rig.ran, []);
  });

  it('closes a question that has been open for ten minutes, and denies', async () => {
    const rig = new Rig();
    rig.answer = () => new Promise(() => undefined);
    const failed = rig.fails('denied', 'delete_note');
    await new Promise(setImmediate);
    assert.equal(rig.asked[0]?.signal.aborted, false);
    rig.clock.advance(10 * 60_000);
    assert.match(await failed, /did not answer within 10 minutes/);
    assert.equal(rig.asked[0]?.signal.aborted, true);
    assert.deepEqual(rig.ran, []);
  });

  it('closes a question whose call is cancelled, and denies', async () => {
    const rig = new Rig();
    rig.answer = () => new Promise(() => undefined);
    const ending = new AbortController();
    const failed = rig.fails('denied', 'delete_note', {}, ending.signal);
    await new Promise(setImmediate);
    ending.abort();
    await failed;
    assert.equal(rig.asked[0]?.signal.aborted, true);
    assert.deepEqual(rig.ran, []);
  });

  it('"always with these arguments" opens no other arguments', async () => {
    const rig = new Rig();
    rig.answer = 'alwaysArgs';
    await rig.call('delete_note', { title: 'a' });
    rig.answer = 'deny';
    await rig.call('delete_note', { title: 'a' });
    await rig.fails('denied', 'delete_note', { title: 'b' });
    assert.equal(rig.ran.length, 2);
  });

  it('offers nothing lasting where a rule asks, and keeps no such answer', async () => {
    const rig = new Rig({
      settings: { rules: [{ tool: 'mcp__notes__delete_note', action: 'ask', source: 'workspace' }] },
    });
    rig.answer = 'always';
    await rig.call('delete_note');
    await rig.call('delete_note');
    assert.deepEqual(
      rig.asked.map(({ lasting }) => lasting),
      [false, false],
    );
  });

  it('calls the server exactly as often as it decided that a call may run', async () => {
    const rig = new Rig();
    rig.answer = ({ tool }) => (tool.tool.name === 'delete_note' ? 'once' : 'deny');
    for (const name of ['list_notes', 'delete_note', 'delete_all', 'fetch', 'unsaid', 'add_note']) {
      await rig.call(name).catch((error: unknown) => assert.ok(error instanceof SwitchboardError));
    }
    assert.equal(rig.ran.length, 2);
    assert.equal(rig.calls.broker.sent, rig.ran.length);
    const allowed = rig.calls.history.entries.filter(({ result }) => result === 'ok');
    assert.equal(allowed.length, rig.ran.length);
  });
});
