import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { forbiddenFor, layers } from '../../scripts/lib/layers.mjs';
import { root } from '../../scripts/lib/paths.mjs';

const source = join(root, 'src');

interface Import {
  readonly file: string;
  readonly specifier: string;
}

describe('boundaries of the source', () => {
  const imports = sourceFiles().flatMap(importsOf);

  it('finds imports at all', () => assert.ok(imports.length > 100));

  it('every file belongs to a listed layer', () => {
    const names = new Set(layers.map(({ name }) => name));
    assert.deepEqual(
      sourceFiles().filter((file) => !names.has(layerOf(file))),
      [],
    );
  });

  for (const layer of layers) {
    const own = imports.filter(({ file }) => layerOf(file) === layer.name);
    const forbidden = new Set(forbiddenFor(layer));

    it(`${layer.name} imports only what it may`, () => {
      const wrong = own.filter(
        ({ file, specifier }) =>
          (specifier === 'vscode' && !layer.editor) ||
          (specifier.startsWith('.') &&
            forbidden.has(layerOf(relative(source, resolve(source, dirname(file), specifier))))),
      );
      assert.deepEqual(wrong, []);
    });
  }

  it('the SDK is imported at run time by its own bundle alone', () => {
    const wrong = sourceFiles().filter(
      (file) =>
        !file.endsWith(join('connection', 'protocol', 'sdk.ts')) &&
        // Loaded with the first app; what it needs of the client is in that bundle.
        file !== join('bridge', 'apps', 'appSession.ts') &&
        /^import (?!type\b)[^;]*from '@modelcontextprotocol\//m.test(readFileSync(join(source, file), 'utf8')),
    );
    assert.deepEqual(wrong, []);
  });

  it('only the broker, in callSender.ts, calls tools, and no other request is one', () => {
    const holding = (pattern: RegExp): string[] =>
      sourceFiles().filter((file) => pattern.test(withoutComments(readFileSync(join(source, file), 'utf8'))));
    // `client.callTool` is the SDK's, of which a session is made.
    assert.deepEqual(holding(/(?<!\bclient)(?:\.|\?\.)callTool\b|\bcallTool\s*[,}][^;]*=(?!>)|\[['"`]callTool/), [
      join('calls', 'scheduling', 'callSender.ts'),
    ]);
    assert.deepEqual(holding(/\bclient\??\.callTool\b/i), [join('connection', 'protocol', 'toolRequests.ts')]);
    assert.deepEqual(holding(/\bnew ToolRequests\b/), [join('connection', 'session', 'session.ts')]);
    assert.deepEqual(holding(/tools\/call/).sort(), [
      // Where an agent outside is told that no window is there.
      join('bridge', 'gateway', 'outside', 'noWindowAnswer.ts'),
      // Where an endpoint takes such a request, and gives it to the broker.
      join('bridge', 'gateway', 'protocol', 'forwardedRequest.ts'),
      // Where its headers are held against it.
      join('bridge', 'gateway', 'protocol', 'stateless', 'requestHeaders.ts'),
      join('bridge', 'gateway', 'protocol', 'stateless', 'statelessRequests.ts'),
      // Where spans of calls are named.
      join('calls', 'tracing', 'callSpans.ts'),
      // Where results are cleaned, where the SDK is asked, and where any other way is refused.
      join('connection', 'cleaning', 'cleanAnswer.ts'),
      join('connection', 'protocol', 'guard', 'answerReader.ts'),
      join('connection', 'protocol', 'toolRequests.ts'),
      // Where calls are found in a recording.
      join('connection', 'recording', 'replay', 'recordedCalls.ts'),
      // Where an HTTP answer is judged by what it answers.
      join('connection', 'remote', 'answers', 'httpAnswer.ts'),
      join('connection', 'session', 'requests', 'itemRequests.ts'),
      // Where the recorder is told what was decided about one.
      join('host', 'wiring', 'brokerPorts.ts'),
      // Where recorded ones are drawn.
      join('ui', 'pages', 'inspector', 'events', 'timelineSpans.ts'),
    ]);
  });
});

function withoutComments(text: string): string {
  return text.replaceAll(/^\s*(?:\/?\*|\/\/).*$/gm, '');
}

function sourceFiles(): string[] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(source, file), 'utf8');
  const found = text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g);
  return [...found].map((match) => ({ file, specifier: match[1] ?? '' }));
}

function layerOf(file: string): string {
  return file.split(sep)[0] ?? '';
}
