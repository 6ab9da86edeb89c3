import { strict as assert } from 'node:assert';
import { inLines } from '../../../../src/bridge/dialogs/dialogLines.ts';
import { shownAddress } from '../../../../src/bridge/serverQuestions/shownAddress.ts';

describe('servers’ questions: addresses to open', () => {
  for (const [address, host, warnings] of [
    ['https://github.com/login?a=1%26b#c', 'github.com', []],
    ['HTTPS://GitHub.com/x', 'github.com', []],
    ['http://example.com/', 'example.com', ['not-encrypted']],
    ['https://github.com@evil.example/', 'evil.example', ['user-info']],
    ['https://github.com%2f@evil.example:8443/', 'evil.example:8443', ['user-info', 'port']],
    ['https://аpple.com/', 'xn--pple-43d.com', ['look-alike']],
    ['https://xn--pple-43d.com/', 'xn--pple-43d.com', ['look-alike']],
    ['http://127.0.0.1:3000/cb', '127.0.0.1:3000', ['no-name', 'port']],
    ['http://localhost/', 'localhost', ['no-name']],
    ['http://app.localhost./', 'app.localhost.', ['no-name']],
    ['https://[2001:db8::1]/', '[2001:db8::1]', ['no-name']],
    ['https://0x7f.1/', '127.0.0.1', ['no-name']],
    ['https://example.com/\u202egpj.exe', 'example.com', ['invisible']],
    ['https://example.com/%E2%80%AEgpj.exe', 'example.com', ['invisible']],
  ] as const)
    it(`${JSON.stringify(address)} is of ${host}${warnings.length > 0 ? `, with ${warnings.join(' and ')}` : ''}`, () => {
      const shown = shownAddress(address);
      assert.equal(shown?.host, host);
      assert.deepEqual(shown.warnings, warnings);
      assert.match(shown.href, /^[\x21-\x7e]+$/);
    });

  it('a look-alike is shown with what it reads', () => {
    assert.equal(shownAddress('https://xn--pple-43d.com/')?.reads, 'аpple.com');
    assert.equal(shownAddress('https://apple.com/')?.reads, undefined);
  });

  for (const address of [
    'javascript:alert(1)',
    'file:///etc/passwd',
    'vscode://x/y',
    'command:workbench.action.terminal.new',
    'data:text/html,x',
    ' https://example.com',
    'https://',
    'https:///',
    '//example.com',
    '',
    1,
    undefined,
  ])
    it(`${JSON.stringify(address)} is never opened`, () => {
      assert.equal(shownAddress(address), undefined);
    });

  it('nothing of a long one is left out', () => {
    const long = `https://example.com/${'a'.repeat(500)}?end`;
    assert.equal(inLines(long, 90).join(''), long);
    assert.ok(inLines(long, 90).every(({ length }) => length <= 90));
  });
});
