/** A provider of accounts that the editor has itself. */
export interface EditorProvider {
  readonly id: 'github' | 'microsoft';
  readonly name: string;
}

/** The editor's provider for an issuer, as the editor's own extensions declare them. */
export function editorProviderOf(issuer: string): EditorProvider | undefined {
  if (!URL.canParse(issuer)) return undefined;
  const { protocol, host, pathname, username, password } = new URL(issuer);
  if (protocol !== 'https:' || username !== '' || password !== '') return undefined;
  if (host === 'github.com' && /^\/login\/oauth\/?$/.test(pathname)) return { id: 'github', name: 'GitHub' };
  if (host === 'login.microsoftonline.com') return { id: 'microsoft', name: 'Microsoft' };
  return undefined;
}
