import { percentForms, SECRET_NAME, SecretValues } from '../../../base/text/secrets.ts';
import { errorText, withBody } from '../../remote/answers/limitedBody.ts';

/** Parameters of OAuth that are secret, beside those whose names say so: RFC 6749, 7521, 7636. */
const SECRET_PARAMETERS = new Set(['code', 'code_verifier', 'assertion', 'client_assertion']);

/**
 * An answer that refuses a request, without the secrets that the request had: an authorization server may repeat them in
 * its texts, which are shown and logged.
 */
export async function withoutSent(response: Response, sent: RequestInit | undefined): Promise<Response> {
  const secrets = new SecretValues();
  const authorization = new Headers(sent?.headers).get('authorization');
  if (authorization !== null) {
    secrets.add('authorization', authorization);
    // RFC 6749, section 2.3.1: both are encoded before they are joined.
    for (const [name, part] of percentForms('secret', basicSecret(authorization))) secrets.add(name, part);
  }
  for (const [name, value] of parametersOf(sent?.body))
    if (SECRET_PARAMETERS.has(name) || isSecretName(name)) secrets.add('secret', value);
  return withBody(response, secrets.mask(await errorText(response)));
}

function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) && name !== 'token_type_hint';
}

function basicSecret(authorization: string): string {
  const [, encoded = ''] = /^basic\s+(\S+)$/i.exec(authorization) ?? [];
  const [, secret = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(/:(.*)/s);
  return secret;
}

function parametersOf(body: RequestInit['body']): Iterable<readonly [string, string]> {
  if (body instanceof URLSearchParams) return body;
  return typeof body === 'string' && !body.startsWith('{') ? new URLSearchParams(body) : [];
}
