import { strict as assert } from 'node:assert';
import {
  isLoopbackAddress,
  mayBeRedirectedTo,
  pastedAnswer,
} from '../../../../../src/bridge/signIn/redirect/redirectAddress.ts';

describe('addresses to be sent back to', () => {
  it('are https, or on this machine', () => {
    for (const uri of [
      'https://a.example/callback?vscode-reqid=1',
      'http://127.0.0.1:1/',
      'http://localhost/x',
      'http://[::1]:2/',
    ])
      assert.ok(mayBeRedirectedTo(uri), uri);
    for (const uri of [
      'http://a.example/',
      'vscode://pub.ext/x',
      'http://127.0.0.1.evil.example/',
      'http://localhost.evil/',
      '',
      'x',
    ])
      assert.ok(!mayBeRedirectedTo(uri), uri);
    assert.ok(!isLoopbackAddress('https://127.0.0.1/'), 'nobody has a certificate for it');
  });
});

describe('an address that was copied from the browser', () => {
  const asText = (text: string): string => String(pastedAnswer(text));

  it('is read whole, from its query on, or with an error', () => {
    // cline 2496, 2771: a second `?` behind the query that the editor's own page has.
    assert.equal(asText('https://a.example/cb?vscode-reqid=1?code=c&state=s'), 'vscode-reqid=1&code=c&state=s');
    assert.equal(asText(' http://127.0.0.1:1/callback?code=a%2Bb&state=s&iss=x\n'), 'code=a%2Bb&state=s&iss=x');
    assert.equal(asText('?code=1&state=s'), 'code=1&state=s');
    assert.equal(asText('code=1&state=s'), 'code=1&state=s');
    assert.equal(asText('https://x.example/?error=access_denied&state=s'), 'error=access_denied&state=s');
  });

  it('that is none says what is missing', () => {
    for (const text of ['', 'hello', 'https://as.example/authorize', 'a b=c', '1234567'])
      assert.equal(pastedAnswer(text), 'no-address', text);
    assert.equal(pastedAnswer('https://as.example/?code=1'), 'no-state');
    assert.equal(pastedAnswer('https://as.example/?client_id=1&state=s'), 'cut');
  });
});
