import type { TransportSpec } from '../configTypes.ts';
import type { OAuthOptions } from '../oauthOptions.ts';

/** Every field of a spec that is a text: its name, as in `MissingVariable`, and the text. */
export function fieldsOf(spec: TransportSpec): readonly (readonly [field: string, text: string])[] {
  const one = (field: string, text: string | undefined): [string, string][] =>
    text === undefined ? [] : [[field, text]];
  const map = (field: string, texts: Readonly<Record<string, string>>): [string, string][] =>
    Object.entries(texts).map(([name, text]) => [`${field}.${name}`, text]);
  if (spec.type === 'sdk') return [];
  return spec.type === 'stdio'
    ? [
        ...one('command', spec.command),
        ...spec.args.map((text, index) => [`args[${index}]`, text] as const),
        ...map('env', spec.env),
        ...one('cwd', spec.cwd),
        ...one('envFile', spec.envFile),
      ]
    : [
        ...one('url', spec.url),
        ...map('headers', spec.headers),
        ...one('headersHelper', spec.headersHelper),
        ...map('oauth', oauthTexts(spec.oauth)),
      ];
}

/** The members of `oauth` that are one text each. */
export function oauthTexts(oauth: OAuthOptions | false | undefined): Readonly<Record<string, string>> {
  const members = Object.entries(oauth || {});
  return Object.fromEntries(members.filter((member): member is [string, string] => typeof member[1] === 'string'));
}
