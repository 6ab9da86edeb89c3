import { strict as assert } from 'node:assert';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseExact } from '../../../../../src/base/json/exactJson.ts';
import type { JsonObject } from '../../../../../src/base/json/json.ts';
import { recordedArguments, recordedText } from '../../../../../src/calls/results/masking.ts';
import { GatewayRig } from '../../gatewayRig.ts';
import { OutsideRig } from './outsideRig.ts';

const FIXTURE = fileURLToPath(new URL('../../../../fixtures/servers/inTheField.ts', import.meta.url));

describe('gateway: numbers keep their digits', function () {
  this.timeout(60_000);
  let rig: GatewayRig;
  let outside: OutsideRig;
  let agent: ChildProcess;
  const waiting = new Map<number, (line: string) => void>();
  let lastId = 1;

  /** A request as an agent outside writes it: no client between changes its digits. */
  async function request(method: string, params: string): Promise<string> {
    const id = (lastId += 1);
    const answer = new Promise<string>((resolve) => waiting.set(id, resolve));
    agent.stdin?.write(`{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}\n`);
    return answer;
  }

  before(async () => {
    rig = new GatewayRig();
    await rig.start({ bank: { command: process.execPath, args: [FIXTURE, 'digits'] } });
    outside = new OutsideRig();
    const { command, args, env } = (await outside.open(rig)).commandFor('bank');
    agent = spawn(command, [...args], { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'inherit'] });
    createInterface({ input: agent.stdout ?? process.stdin }).on('line', (line) => {
      const { id } = JSON.parse(line) as { readonly id?: number };
      if (id !== undefined) waiting.get(id)?.(line);
    });
    await request(
      'initialize',
      '{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}',
    );
    agent.stdin?.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  });
  after(async () => {
    const ended = once(agent, 'exit');
    agent.stdin?.end();
    await ended;
    await outside.stop();
    await rig.stop();
  });

  it('of schemas, where a program would have another number', async () => {
    const list = await request('tools/list', '{}');
    assert.match(list, /"enum":\[1915883588174806058,1\]/);
    assert.match(list, /"maximum":18446744073709551615/);
    // The same number in another spelling is no other schema.
    assert.match(list, /"minimum":0,/);
    assert.match(list, /"default":1\.1[,}]/);
    assert.match(JSON.stringify(rig.test.host.catalog.tools[0]?.tool.inputSchema), /1915883588174806058/);
  });

  it('of arguments, up to the server', async () => {
    const args = '{"id":1915883588174806058,"price":1.10,"deep":[{"n":-0.30,"big":1e400,"whole":5.0}]}';
    const answer = await request('tools/call', `{"name":"pay","arguments":${args}}`);
    const { text } = (JSON.parse(answer) as { result: { content: [{ text: string }] } }).result.content[0];
    assert.match(
      text,
      /"arguments":\{"id":1915883588174806058,"price":1\.10,"deep":\[\{"n":-0\.30,"big":1e400,"whole":5\}\]\}/,
    );
  });

  it('of prompts, where they are shown as JSON; others are as the protocol has them', async () => {
    rig.answerElsewhere = 'once';
    const answer = await request('prompts/get', '{"name":"p","arguments":{"id":"1915883588174806058"}}');
    assert.match(answer, /"result"/);
    const { messages } = (
      JSON.parse(answer) as { result: { messages: readonly { content: { text: string; annotations?: object } }[] } }
    ).result;
    assert.equal(messages[0]?.content.text, '{"type":"json","json":{"id":1915883588174806058,"price":1.10}}');
    assert.deepEqual(messages[1]?.content.annotations, { priority: 1 });
  });

  it('in what rules compare: a rule for that number fits, and one for the number of a program, too', async () => {
    for (const [id, isDenied] of [
      ['1915883588174806058', true],
      ['1915883588174806000', true],
      ['1915883588174807000', false],
    ] as const) {
      rig.rules = [{ action: 'deny', tool: 'pay', args: { id }, source: 'user' }];
      const answer = await request('tools/call', '{"name":"pay","arguments":{"id":1915883588174806058}}');
      assert.equal(/denied|rule/i.test(answer), isDenied, answer);
    }
    rig.rules = [];
  });

  it('in what is checked: a program’s number stands for them, as it does in the schema', async () => {
    const wrong = await request('tools/call', '{"name":"pay","arguments":{"id":1.10,"price":"1,10"}}');
    assert.match(wrong, /must be integer/);
    assert.match(wrong, /must be number/);
  });

  it('in what is kept: masked by the name of the argument', async () => {
    const args = parseExact('{"token":1915883588174806058,"id":1915883588174806058}') as JsonObject;
    const kept = JSON.stringify(recordedArguments(args, (text) => text));
    assert.match(kept, /"id":1915883588174806058/);
    assert.doesNotMatch(kept, /"token":\d/);
    assert.equal(
      recordedText('got 1915883588174806058', args, (text) => text),
      'got •••',
    );
  });
});
