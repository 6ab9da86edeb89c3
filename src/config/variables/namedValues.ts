import { SECRET_NAME, SecretValues } from '../../base/text/secrets.ts';
import type { TransportSpec } from '../configTypes.ts';
import { oauthTexts } from './specFields.ts';
import { scanVariables } from './variableSyntax.ts';

export type NamedValue = readonly [name: string, value: string];

/**
 * The values in a spec, each with the name that it is given under: environment, headers, secrets of a sign-in, parameters and
 * user-info of the address, arguments that say that they are secret, as `--token x`, `--token=x`, `TOKEN=x` and `X-Api-Key: x` do, and those
 * that look like a token wherever they stand.
 */
export function namedValuesOf(spec: TransportSpec): readonly NamedValue[] {
  if (spec.type === 'sdk') return [];
  if (spec.type === 'stdio') return [...Object.entries(spec.env), ...valuesInWords([spec.command, ...spec.args])];
  const helper = spec.headersHelper === undefined ? [] : valuesInWords([spec.headersHelper]);
  const { clientSecret, privateKey } = oauthTexts(spec.oauth);
  const secrets = { clientSecret, privateKey };
  return [
    ...Object.entries(spec.headers),
    ['url', spec.url],
    ...helper,
    ...Object.entries(secrets).flatMap(([name, value]): NamedValue[] => (value === undefined ? [] : [[name, value]])),
  ];
}

/** What of a spec as it is written must not be shown beside it. What a variable stands for isn't in there. */
export function writtenSecrets(spec: TransportSpec): SecretValues {
  const secrets = new SecretValues();
  for (const [name, value] of namedValuesOf(spec)) secrets.add(name, withoutVariables(value));
  return secrets;
}

function valuesInWords(args: readonly string[]): NamedValue[] {
  return args.flatMap((arg, index) => {
    const next = args[index + 1];
    const inside = /\s/.test(arg) ? valuesInWords(arg.split(/[\s"'`;]+/)) : [];
    return [...valuesInWord(arg, next), ...inside];
  });
}

function valuesInWord(word: string, next: string | undefined): NamedValue[] {
  const [, name = '', value = ''] = /^-{0,2}([\w.-]+)\s*[=:]\s*(.+)$/s.exec(word) ?? [];
  if (/^[a-z][a-z+.-]*:\/\//i.test(word)) return [['url', word]];
  if (/^[a-z][a-z+.-]*:\/\//i.test(value)) return [['url', value]];
  if (/^[[{]/.test(word)) return [['json', word]];
  if (SECRET_NAME.test(name)) return [[name, value]];
  if (looksLikeToken(word)) return [['token', word]];
  if (next === undefined || !word.startsWith('-')) return [];
  if (/^(?:-u|--user)$/.test(word)) return [['password', next.replace(/^[^:]*:/, '')]];
  return SECRET_NAME.test(word) && !/^--?[a-z]/i.test(next) ? [[word, next]] : [];
}

/** What tokens of well-known services begin with. */
const TOKEN_PREFIX =
  /^(?:gh[opsur]_|github_pat_|glpat-|sk-|pk_|rk_|xox[a-z]-|npm_|pypi-|AKIA|ya29\.|AIza|eyJ|SG\.|hf_)/;
/** A run of letters and digits that nobody writes by hand, in UTF-16 units. */
const LONGEST_HANDWRITTEN = 20;

/** Whether a word is a token by its look: nobody says so of an argument that is one by its place. */
export function looksLikeToken(word: string): boolean {
  if (!/^[\w.+/=~-]{12,}$/.test(word)) return false;
  if (TOKEN_PREFIX.test(word)) return true;
  const isRandom = (run: string): boolean => run.length >= LONGEST_HANDWRITTEN && /\d/.test(run) && /[a-z]/i.test(run);
  return !/[/.]/.test(word) && word.split(/[^A-Za-z0-9]/).some(isRandom);
}

function withoutVariables(text: string): string {
  return scanVariables(text, { percent: false, lookUp: () => '', onMissing: () => undefined });
}
