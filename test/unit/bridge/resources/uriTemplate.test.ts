import { strict as assert } from 'node:assert';
import { expandTemplate, templateVariables } from '../../../../src/bridge/resources/uriTemplate.ts';

const VALUES = {
  var: 'value',
  hello: 'Hello World!',
  path: '/foo/bar',
  empty: '',
  x: '1024',
  y: '768',
  half: '50%',
  base: 'http://example.com/home/',
};

/** The examples of RFC 6570 for levels 1 to 3, and for prefixes. */
const EXAMPLES = [
  ['{var}', 'value'],
  ['{hello}', 'Hello%20World%21'],
  ['{half}', '50%25'],
  ['O{empty}X', 'OX'],
  ['O{undef}X', 'OX'],
  ['{+var}', 'value'],
  ['{+hello}', 'Hello%20World!'],
  ['{+path}/here', '/foo/bar/here'],
  ['here?ref={+path}', 'here?ref=/foo/bar'],
  ['{+base}index', 'http://example.com/home/index'],
  ['X{#var}', 'X#value'],
  ['map?{x,y}', 'map?1024,768'],
  ['{x,hello,y}', '1024,Hello%20World%21,768'],
  ['{+x,hello,y}', '1024,Hello%20World!,768'],
  ['{#path,x}/here', '#/foo/bar,1024/here'],
  ['X{.var}', 'X.value'],
  ['{/var,x}/here', '/value/1024/here'],
  ['{;x,y,empty}', ';x=1024;y=768;empty'],
  ['{?x,y,empty}', '?x=1024&y=768&empty='],
  ['?fixed=yes{&x}', '?fixed=yes&x=1024'],
  ['{?x,undef}', '?x=1024'],
  ['{var:3}', 'val'],
  ['{+path:6}/here', '/foo/b/here'],
  ['{var*}', 'value'],
  // What is no expression stays as it is.
  ['a{}b{', 'a{}b{'],
] as const;

describe('resource templates (RFC 6570)', () => {
  for (const [template, expected] of EXAMPLES)
    it(`${template} is ${expected}`, () => {
      assert.equal(expandTemplate(template, VALUES), expected);
    });

  it('names the variables once each, in their order', () => {
    assert.deepEqual(templateVariables('demo://{a}/{+b}{?c,a:2}{/d*}'), ['a', 'b', 'c', 'd']);
    assert.deepEqual(templateVariables('demo://nothing'), []);
  });

  it('a value can’t leave its place: what has a meaning in addresses is encoded', () => {
    assert.equal(expandTemplate('repo://{owner}/x', { owner: '../admin?#/' }), 'repo://..%2Fadmin%3F%23%2F/x');
    assert.equal(expandTemplate('{__proto__}{constructor}', {}), '');
  });
});
