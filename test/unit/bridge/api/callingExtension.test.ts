import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { callerId } from '../../../../src/bridge/api/callingExtension.ts';

describe('bridge/api/caller', () => {
  let root: string;
  before(() => {
    root = realpathSync(mkdtempSync(path.join(tmpdir(), 'switchboard-caller-')));
    for (const name of ['own', 'one', 'one-more']) mkdirSync(path.join(root, name));
    symlinkSync(path.join(root, 'one-more'), path.join(root, 'link'));
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  const installed = (): { id: string; extensionPath: string }[] => [
    { id: 'own.own', extensionPath: path.join(root, 'own') },
    { id: 'a.one', extensionPath: path.join(root, 'one') },
    { id: 'a.more', extensionPath: path.join(root, 'link') },
    { id: 'a.gone', extensionPath: path.join(root, 'gone') },
  ];
  const on = (...folders: string[]): string =>
    ['Error', ...folders.map((name) => `    at f (${path.join(root, name, 'x.js')}:1:1)`)].join('\n');

  it('is who it says it is, if its code is on the stack', () => {
    assert.equal(callerId({ id: 'A.One' }, on('own', 'one'), installed(), 'own.own'), 'a.one');
    assert.equal(
      callerId({ extension: { id: 'a.more' } }, on('own', 'one-more', 'one'), installed(), 'own.own'),
      'a.more',
    );
    assert.equal(callerId({ id: 'a.one' }, on('own'), installed(), 'own.own'), 'a.one (unverified)');
    const asOther = (): string =>
      callerId({ extension: { id: 'a.more' } }, on('one', 'one-more'), installed(), 'own.own');
    assert.throws(asOther, /a\.one asked for the API in the name of a\.more/);
    assert.throws(() => callerId({ id: 'x.y' }, on('one'), installed(), 'own.own'), /No extension “x\.y”/);
    assert.throws(() => callerId({} as { id: string }, '', installed(), 'own.own'), /No extension/);
  });

  it('else is found on the stack, also behind a link', () => {
    assert.equal(callerId(undefined, on('own', 'one'), installed(), 'own.own'), 'a.one');
    assert.equal(callerId(undefined, on('own', 'one-more'), installed(), 'own.own'), 'a.more');
    assert.equal(callerId(undefined, on('own'), installed(), 'own.own'), '(unknown)');
    assert.equal(callerId(undefined, '', installed(), 'own.own'), '(unknown)');
  });
});
