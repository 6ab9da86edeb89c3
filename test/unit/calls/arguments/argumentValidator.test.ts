import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../../../../scripts/lib/paths.mjs';
import { ArgumentValidator } from '../../../../src/calls/arguments/argumentValidator.ts';
import { eventually, isAlive } from '../../connection/harness.ts';

describe('validation of arguments', () => {
  const validator = new ArgumentValidator();
  after(() => validator.dispose());
  const schema = {
    type: 'object',
    properties: {
      title: { type: 'string' },
      count: { type: 'integer' },
      color: { type: 'string', enum: ['green', 'yellow', 'red'] },
      when: { type: 'string', format: 'date' },
      nested: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    },
    required: ['title'],
    additionalProperties: false,
  };
  const table: [string, Record<string, never>, RegExp][] = [
    ['what is missing', {}, /is missing the required property "title"/],
    ['what came in place of it', { titel: 'a' } as never, /required property "title" \("titel" is not a property\)/],
    ['what was expected and what came', { title: 7 } as never, /"title" must be string, got number 7/],
    [
      'the nearest allowed value',
      { title: 'a', color: 'yelow' } as never,
      /"color" must be one of .*nearest: "yellow"/,
    ],
    ['the property that was meant', { title: 'a', cuont: 1 } as never, /no property "cuont"; did you mean "count"\?/],
    [
      'where in a nested object',
      { title: 'a', nested: {} } as never,
      /"nested" is missing the required property "path"/,
    ],
    ['a format', { title: 'a', when: 'soon' } as never, /"when" must match format "date"/],
  ];
  for (const [title, args, expected] of table) {
    it(`says ${title}`, async () => assert.match((await validator.validate(schema, args)).join('\n'), expected));
  }

  it('never repeats a value that is a string: it may be a secret', async () => {
    const [sentence] = await validator.validate(
      { type: 'object', properties: { n: { type: 'number' } } },
      { n: 's3cret' },
    );
    assert.equal(sentence, '"n" must be number, got a string of 6 characters');
  });

  it('accepts what fits', async () => assert.deepEqual(await validator.validate(schema, { title: 'a', count: 2 }), []));

  it('understands older drafts by their $schema', async () => {
    const older = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      definitions: { name: { type: 'string' } },
      properties: { name: { $ref: '#/definitions/name' } },
    };
    assert.deepEqual(await validator.validate(older, { name: 'a' }), []);
    assert.equal((await validator.validate(older, { name: 1 })).length, 1);
  });

  it('leaves a schema that cannot be compiled to the server', async () => {
    const broken = { type: 'object', properties: { a: { $ref: '#/$defs/nowhere' } } };
    assert.deepEqual(await validator.validate(broken, { a: 1 }), []);
  });

  for (const [place, endless] of [
    ['pattern', { properties: { a: { type: 'string', pattern: '^(a+)+$' } } }],
    ['patternProperties', { patternProperties: { '^(a+)+$': { type: 'number' } } }],
  ] as const) {
    it(`leaves to the server what a ${place} of its own makes endless, and checks the next tool`, async () => {
      const hostile = { type: 'object', ...endless };
      const text = `${'a'.repeat(40)}!`;
      assert.deepEqual(await validator.validate(hostile, place === 'pattern' ? { a: text } : { [text]: 1 }), []);
      const fine = { type: 'object', properties: { a: { type: 'string', pattern: '^a+$' } } };
      assert.match((await validator.validate(fine, { a: 'b' })).join('\n'), /^"a" must match pattern/);
    });
  }

  it('leaves no process behind where the host is killed during a check without an end', async function () {
    this.timeout(90_000);
    const worker = path.join(root, 'src/calls/arguments/schemaWorker.ts');
    const schema = { properties: { a: { pattern: '^(a+)+$' } } };
    const task = { schemaId: 0, schema, args: { a: `${'a'.repeat(40)}!` } };
    const host = spawn(process.execPath, [
      '--input-type=module',
      '--eval',
      `const { startSchemaWorker } = await import(${JSON.stringify(pathToFileURL(worker).href)});
       const child = startSchemaWorker();
       child.once('message', () => child.send(${JSON.stringify(task)}, () => console.log(child.pid)));`,
    ]);
    const [printed] = (await once(host.stdout, 'data')) as [Buffer];
    const pid = Number(printed.toString());
    assert.ok(isAlive(pid));
    host.kill('SIGKILL');
    await eventually(() => !isAlive(pid), 'the end of the process');
  });

  it('tells two tools with one $id apart', async () => {
    const one = { $id: 'x', type: 'object', required: ['a'] };
    const other = { $id: 'x', type: 'object', required: ['b'] };
    assert.match((await validator.validate(one, {})).join(), /"a"/);
    assert.match((await validator.validate(other, {})).join(), /"b"/);
  });

  it('judges at once by a schema that it knows, and in another process by one that may take long', async () => {
    const cheap = { type: 'object', required: ['a'] };
    assert.ok(validator.validate(cheap, {}) instanceof Promise);
    await validator.validate(cheap, {});
    assert.deepEqual(validator.validate(cheap, { a: 1 }), []);
    const mistakes = validator.validate(cheap, {});
    assert.ok(!(mistakes instanceof Promise));
    assert.match(mistakes.join(), /"a"/);
    const costly = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
    await validator.validate(costly, { a: 'a' });
    const judged = validator.validate(costly, { a: 'a' });
    assert.ok(judged instanceof Promise);
    assert.deepEqual(await judged, []);
  });

  it('names at most eight mistakes', async () => {
    const many = { type: 'object', required: Array.from({ length: 20 }, (_, index) => `p${index}`) };
    const sentences = await validator.validate(many, {});
    assert.equal(sentences.length, 9);
    assert.match(sentences[8] ?? '', /12 more/);
  });
});
