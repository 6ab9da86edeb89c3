import { strict as assert } from 'node:assert';
import { rootsFor } from '../../../src/servers/roots.ts';

const FOLDERS = [
  { name: 'app', path: '/code/app' },
  { name: 'app/lib', path: '/code/library' },
  { name: 'secret', path: '/code/se cret' },
];

describe('roots', () => {
  for (const [what, setting, expected] of [
    ['nothing is set: all', undefined, ['file:///code/app', 'file:///code/library', 'file:///code/se%20cret']],
    [
      'all for it, none for the others',
      { '*': 'none', s: 'all' },
      ['file:///code/app', 'file:///code/library', 'file:///code/se%20cret'],
    ],
    ['none for it', { s: 'none' }, []],
    ['none for all others', { '*': 'none' }, []],
    ['another server’s', { other: 'none', s: ['secret'] }, ['file:///code/se%20cret']],
    ['a folder and a path below one', { s: ['app', 'app/src/x'] }, ['file:///code/app', 'file:///code/app/src/x']],
    ['the longer name goes first', { s: ['app/lib/y'] }, ['file:///code/library/y']],
    ['never above its folder', { s: ['app/../secret', 'app/..', '/etc', '..'] }, []],
    ['what can’t be understood is none', { s: { all: true } }, []],
    ['of a list, what is no text', { s: [1, 'app', null, 'nowhere'] }, ['file:///code/app']],
    ['a setting that is no object is none', ['all'], []],
  ] as const)
    it(what, () => {
      assert.deepEqual(
        rootsFor((name) => name === 's', setting, FOLDERS).map(({ uri }) => uri),
        expected,
      );
    });

  it('a server may be called like a member of every object', () => {
    assert.equal(rootsFor((name) => name === 'constructor', {}, FOLDERS).length, 3);
    assert.equal(rootsFor((name) => name === 'constructor', { constructor: 'none' }, FOLDERS).length, 0);
  });
});
