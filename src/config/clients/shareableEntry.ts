import { say } from '../../base/say.ts';
import { isSecret, MASK, SECRET_NAME } from '../../base/text/secrets.ts';
import type { InputDefinition, ServerEntry, TransportSpec } from '../configTypes.ts';
import type { OAuthOptions } from '../oauthOptions.ts';
import type { PastedServer } from '../paste/readPasted.ts';
import { withInputs } from '../paste/secretInputs.ts';
import { looksLikeToken, writtenSecrets } from '../variables/namedValues.ts';
import { replaceVariables } from '../variables/variableSyntax.ts';

/** An entry that others may see. */
export interface ShareableEntry {
  readonly entry: ServerEntry;
  /** What stood in the place of its new inputs, by their ids. Not to be written anywhere. */
  readonly answers: ReadonlyMap<string, string>;
  /** What is another than before, a sentence each. */
  readonly notes: readonly string[];
}

/** Members of `oauth` that are secret. */
const OAUTH_SECRETS = ['clientSecret', 'privateKey', 'idpClientSecret', 'idToken', 'assertion'] as const;

/**
 * An entry without its secrets: each becomes an input, and defaults of variables and inputs that are secret go.
 * @param taken ids that other inputs have
 */
export function shareableEntry(given: ServerEntry, taken: ReadonlySet<string> = new Set()): ShareableEntry {
  const { name, inputs: own = [] } = given;
  const notes: string[] = [];
  const plain = withoutHelper(withoutSecretDefaults(given.transport, name, notes), name, notes);
  const made = withInputs(name, plain, new Set([...taken, ...own.map(({ id }) => id)]));
  const rest = new Remainder(name, new Set([...taken, ...own.map(({ id }) => id), ...made.inputs.map(({ id }) => id)]));
  const transport = rest.covered(made.transport);
  const inputs = [...own.map((input) => withoutSecretDefault(input, name, notes)), ...made.inputs, ...rest.inputs];
  const answers = new Map([...made.answers, ...rest.answers]);
  for (const id of answers.keys()) notes.push(say`A secret of “${name}” is left out: it is the input “${id}” now.`);
  const { inputs: _inputs, variables: _variables, ...kept } = given;
  return { entry: { ...kept, transport, ...(inputs.length > 0 ? { inputs } : {}) }, answers, notes };
}

/** A server as it is written where others see it, and what is another than before, a sentence each. */
export function shareableServer(server: PastedServer): {
  readonly server: PastedServer;
  readonly notes: readonly string[];
} {
  const { entry, answers, notes } = shareableEntry(server.entry);
  const defaults = (server.entry.inputs ?? []).flatMap((input) =>
    input.type === 'promptString' && input.password && input.default !== undefined
      ? [[input.id, input.default] as const]
      : [],
  );
  return { server: { ...server, entry, answers: new Map([...defaults, ...server.answers, ...answers]) }, notes };
}

/** The spec with each of its texts put through `change`. `name`: what the text is given under. */
export function mapTexts(spec: TransportSpec, change: (text: string, name: string) => string): TransportSpec {
  const map = (texts: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, change(text, name)]));
  const optional = <K extends string>(key: K, text: string | undefined): Partial<Record<K, string>> =>
    text === undefined ? {} : ({ [key]: change(text, key) } as Record<K, string>);
  if (spec.type === 'sdk') return spec;
  if (spec.type === 'stdio')
    return {
      ...spec,
      command: change(spec.command, 'command'),
      args: spec.args.map((arg) => change(arg, 'argument')),
      env: map(spec.env),
      ...optional('cwd', spec.cwd),
      ...optional('envFile', spec.envFile),
    };
  const { oauth } = spec;
  const texts = Object.entries(oauth || {}).map(([key, value]: [string, unknown]) => [
    key,
    typeof value === 'string' ? change(value, key) : value,
  ]);
  return {
    ...spec,
    url: change(spec.url, 'url'),
    headers: map(spec.headers),
    ...optional('headersHelper', spec.headersHelper),
    ...(oauth ? { oauth: Object.fromEntries(texts) as OAuthOptions } : {}),
  };
}

function withoutSecretDefaults(spec: TransportSpec, name: string, notes: string[]): TransportSpec {
  return mapTexts(spec, (text) =>
    replaceVariables(text, (written) => {
      const [, variable = '', value] = /^\$\{(.*?):-(.*)\}$/s.exec(written) ?? [];
      const isHidden =
        value !== undefined && (looksLikeToken(value) || (SECRET_NAME.test(variable) && isSecret(variable, value)));
      if (!isHidden) return written;
      const kept = `\${${variable}}`;
      notes.push(say`The default of \`${kept}\` of “${name}” is left out, since it looks like a secret.`);
      return kept;
    }),
  );
}

function withoutHelper(spec: TransportSpec, name: string, notes: string[]): TransportSpec {
  if (!('url' in spec) || spec.headersHelper === undefined || !hasSecret(spec.headersHelper)) return spec;
  const { headersHelper: _helper, ...rest } = spec;
  notes.push(say`The \`headersHelper\` of “${name}” is left out, since it has a secret in it.`);
  return rest;
}

function withoutSecretDefault(input: InputDefinition, name: string, notes: string[]): InputDefinition {
  if (input.type !== 'promptString' || !input.password || input.default === undefined) return input;
  const { default: _default, ...rest } = input;
  notes.push(say`The default of the input “${input.id}” of “${name}” is left out, since it is a password.`);
  return rest;
}

/** Whether a text on a command line has a secret in it. */
function hasSecret(text: string): boolean {
  return writtenSecrets({ type: 'stdio', command: 'x', args: [text], env: {} })
    .mask(text)
    .includes(MASK);
}

/** What no rule for its place has found: every text in which a secret of the spec still stands becomes an input as a whole. */
class Remainder {
  readonly inputs: InputDefinition[] = [];
  readonly answers = new Map<string, string>();
  readonly #server: string;
  readonly #taken: Set<string>;

  constructor(server: string, taken: ReadonlySet<string>) {
    this.#server = server;
    this.#taken = new Set(taken);
  }

  covered(spec: TransportSpec): TransportSpec {
    const secrets = writtenSecrets(spec);
    const keys = 'oauth' in spec && spec.oauth ? spec.oauth : {};
    const isKey = (name: string, text: string): boolean =>
      OAUTH_SECRETS.some((key) => key === name && keys[key] === text) && !text.includes('${');
    return mapTexts(spec, (text, name) =>
      name !== 'command' && (secrets.mask(text) !== text || isKey(name, text)) ? this.#asked(name, text) : text,
    );
  }

  #asked(name: string, text: string): string {
    const slug = `${this.#server}-${name}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
    let id = slug;
    for (let count = 2; this.#taken.has(id); count += 1) id = `${slug}-${count}`;
    this.#taken.add(id);
    this.inputs.push({ id, type: 'promptString', description: `${name} of ${this.#server}`, password: true });
    this.answers.set(id, text);
    return `\${input:${id}}`;
  }
}
