import { strict as assert } from 'node:assert';
import { editorProviderOf } from '../../../../src/bridge/signIn/editorProvider.ts';

describe('the editor’s own accounts', () => {
  it('are known by the issuer', () => {
    assert.equal(editorProviderOf('https://github.com/login/oauth')?.id, 'github');
    assert.equal(editorProviderOf('https://github.com/login/oauth/')?.id, 'github');
    assert.equal(editorProviderOf('https://login.microsoftonline.com/common/v2.0')?.id, 'microsoft');
  });

  it('aren’t offered to what looks like it', () => {
    for (const issuer of [
      'http://github.com/login/oauth',
      'https://github.com/',
      'https://github.com/login/oauth/x',
      'https://github.com.evil.example/login/oauth',
      'https://github.com:8443/login/oauth',
      'https://github.com@evil.example/login/oauth',
      'https://x@github.com/login/oauth',
      'https://evil.example/github.com/login/oauth',
      'https://login.microsoftonline.com.evil.example/',
      'https://xn--gthub-n4a.com/login/oauth',
      'github.com/login/oauth',
      '',
    ])
      assert.equal(editorProviderOf(issuer), undefined, issuer);
  });
});
