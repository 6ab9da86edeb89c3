import assert from 'node:assert/strict';
import path from 'node:path';
import { envSource, parseEnvFile } from '../../../../src/config/sources/envFile.ts';

describe('envFile', () => {
  it('reads what is common in such files', () => {
    assert.deepEqual(
      parseEnvFile(
        '\uFEFF# comment\r\nA=1\r\nexport B = two words # why\nC="x\\ny"\nD=\'$A # no\'\nE=\nnot a line\nF.g=h\nURL=http://x/#a\n',
      ),
      { A: '1', B: 'two words', C: 'x\ny', D: '$A # no', E: '', 'F.g': 'h', URL: 'http://x/#a' },
    );
  });

  it('reads values of several lines in quotes, with Windows line ends too', () => {
    const key = '-----BEGIN KEY-----\nabc=\n-----END KEY-----';
    const text = `A="${key}"\nB='${key}' # why\nC="{\\"a\\": \\"#1\\"}"\nD=4\n`;
    const expected = { A: key, B: key, C: '{"a": "#1"}', D: '4' };
    assert.deepEqual(parseEnvFile(text), expected);
    assert.deepEqual(parseEnvFile(text.replaceAll('\n', '\r\n')), expected);
  });

  it('ends a value at its line where a quote is never closed', () => {
    assert.deepEqual(parseEnvFile(`A="x\nB='y\nC="z"\nD=it's\n`), { A: '"x', B: "'y", C: 'z', D: "it's" });
  });

  it('is read as a file of the folder that it is in, whoever names it, and else as one of no folder', () => {
    const folders = ['a', 'ab'].map((name) => ({ name, path: path.resolve('/w', name) }));
    const folderOf = (file: string): string | undefined => envSource(path.resolve('/w', file), folders).folder?.name;
    assert.deepEqual(['a/.env', 'ab/.env', 'abc/.env', 'a/../.env'].map(folderOf), ['a', 'ab', undefined, undefined]);
    assert.equal(envSource(path.resolve('/x/.env'), folders).scope, 'workspace');
  });
});
