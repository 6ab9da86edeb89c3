import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { root } from '../../scripts/lib/paths.mjs';

const source = join(root, 'src');
/** Lowest first: a layer may import itself and those before it (design: *The house*). */
const LAYERS = ['base', 'config', 'servers', 'connection', 'catalog', 'calls', 'bridge'];
/** What joins the layers up to the calls; the bridge stands on it. */
const CORE = new Set(['host', 'api.d.ts']);
const MAY_IMPORT_VSCODE = new Set(['bridge', 'ui', 'platform', 'extension.ts', 'api.d.ts']);

interface Import {
  readonly file: string;
  readonly specifier: string;
}

describe('boundaries of the source', () => {
  const imports = sourceFiles().flatMap(importsOf);

  it('finds imports at all', () => assert.ok(imports.length > 100));

  it('nothing below the bridge imports the editor', () => {
    const wrong = imports.filter(
      ({ file, specifier }) => specifier === 'vscode' && !MAY_IMPORT_VSCODE.has(layerOf(file)),
    );
    assert.deepEqual(wrong, []);
  });

  it('nothing lower imports anything higher', () => {
    const wrong = imports.filter(({ file, specifier }) => {
      if (!specifier.startsWith('.')) return false;
      const from = LAYERS.indexOf(layerOf(file));
      if (from < 0) return false;
      const target = layerOf(relative(source, resolve(source, dirname(file), specifier)));
      if (CORE.has(target)) return layerOf(file) !== 'bridge';
      return LAYERS.indexOf(target) > from || !LAYERS.includes(target);
    });
    assert.deepEqual(wrong, []);
  });

  it('the SDK is imported at run time by its own bundle alone', () => {
    const wrong = sourceFiles().filter(
      (file) =>
        !file.endsWith(join('connection', 'protocol', 'sdk.ts')) &&
        /^import (?!type\b)[^;]*from '@modelcontextprotocol\//m.test(readFileSync(join(source, file), 'utf8')),
    );
    assert.deepEqual(wrong, []);
  });

  it('only the broker calls tools, and no other request is one', () => {
    const holding = (pattern: RegExp): string[] =>
      sourceFiles().filter((file) => pattern.test(withoutComments(readFileSync(join(source, file), 'utf8'))));
    // `client.callTool` is the SDK's, of which a session is made.
    assert.deepEqual(holding(/(?<!\bclient)(?:\.|\?\.)callTool\b|\bcallTool\s*[,}][^;]*=(?!>)|\[['"`]callTool/), [
      join('calls', 'broker.ts'),
    ]);
    assert.deepEqual(holding(/\bclient\??\.callTool\b/i), [join('connection', 'session', 'toolRequest.ts')]);
    assert.deepEqual(holding(/tools\/call/).sort(), [
      // Where an endpoint takes such a request, and gives it to the broker.
      join('bridge', 'gateway', 'protocol', 'passedRequest.ts'),
      // Where results are cleaned, where the SDK is asked, and where any other way is refused.
      join('connection', 'protocol', 'guardedTransport.ts'),
      join('connection', 'session', 'session.ts'),
      join('connection', 'session', 'toolRequest.ts'),
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
