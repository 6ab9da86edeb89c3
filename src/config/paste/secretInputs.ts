import { isSecret, SECRET_NAME } from '../../base/text/secrets.ts';
import type { InputDefinition, TransportSpec } from '../configTypes.ts';
import { bareVariableIn, placeholderIn } from '../read/placeholders.ts';
import { looksLikeToken } from '../variables/namedValues.ts';
import { variablesIn } from '../variables/variableSyntax.ts';

/** A spec whose secrets and placeholders have become inputs. */
export interface WithInputs {
  readonly transport: TransportSpec;
  /** The inputs that it needs beside those that it had. */
  readonly inputs: readonly InputDefinition[];
  /** What stood in the place of an input, by its id: the answer to it. Placeholders have none. */
  readonly answers: ReadonlyMap<string, string>;
}

/**
 * Puts inputs in the place of what looks like a secret, of placeholders, and of variables that a secret would be read from
 * but that stand empty, so that a file never holds a secret.
 * @param name of the server: the ids of its inputs begin with it
 * @param taken ids that other inputs have
 */
export function withInputs(name: string, spec: TransportSpec, taken: ReadonlySet<string>): WithInputs {
  const maker = new InputMaker(name, taken);
  const transport = replaced(spec, maker);
  return { transport, inputs: maker.inputs, answers: maker.answers };
}

function replaced(spec: TransportSpec, maker: InputMaker): TransportSpec {
  if (spec.type === 'sdk') return spec;
  const map = (values: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, maker.value(name, value)]));
  if (spec.type !== 'stdio') return { ...spec, url: maker.url('url', spec.url), headers: map(spec.headers) };
  return {
    ...spec,
    args: spec.args.map((arg, index) => maker.argument(arg, spec.args[index - 1])),
    env: map(spec.env),
    ...(spec.cwd === undefined ? {} : { cwd: maker.value('cwd', spec.cwd) }),
  };
}

/** `Bearer `, `token=` and the like in front of a secret. */
const SCHEME = /^((?:bearer|basic|token|bot|api-?key|digest)\s+)(.+)$/is;

class InputMaker {
  readonly #server: string;
  readonly #taken: Set<string>;
  readonly #inputs = new Map<string, InputDefinition>();
  readonly answers = new Map<string, string>();

  constructor(server: string, taken: ReadonlySet<string>) {
    this.#server = server;
    this.#taken = new Set(taken);
  }

  get inputs(): readonly InputDefinition[] {
    return [...this.#inputs.values()];
  }

  /** A value of an environment, a header or an option called `name`. */
  value(name: string, value: string): string {
    const [, scheme = '', rest = value] = SCHEME.exec(value) ?? [];
    const bare = bareVariableIn(value);
    if (bare?.meant !== undefined) return value.replace(bare.written, bare.meant);
    if (variablesIn(value, { percent: false }).length > 0) return value;
    if (value.trim() === '') return SECRET_NAME.test(name) ? this.#asked(name, true) : value;
    const placeholder = placeholderIn(value)?.written;
    if (placeholder !== undefined) {
      const isHidden = isSecretName(name, placeholder);
      // `glpat-your-token` is a placeholder as a whole.
      const written = isHidden ? rest : placeholder;
      return value.replace(written, () => this.#asked(name, isHidden));
    }
    if (/^[a-z][a-z+.-]*:\/\//i.test(value)) return this.url(name, value);
    const isHidden =
      (scheme !== '' && rest.length >= 4) || (SECRET_NAME.test(name) && isSecret(name, rest)) || looksLikeToken(rest);
    return isHidden ? scheme + this.#hidden(name, rest) : value;
  }

  /** One word of a command line: an option's value, `NAME=value`, a header, or a word that is secret by its look. */
  argument(word: string, before: string | undefined): string {
    const [, start, name, value] = /^((-{0,2}[\w.-]+)\s*[=:]\s*)(.+)$/s.exec(word) ?? [];
    if (/^[a-z][a-z+.-]*:\/\//i.test(word)) return this.url(optionName(before) ?? 'url', word);
    if (start !== undefined && name !== undefined && value !== undefined && !/^[A-Za-z]:[\\/]/.test(word))
      return start + this.value(name.replace(/^-+/, ''), value);
    const option = optionName(before);
    if (option !== undefined && SECRET_NAME.test(option)) return this.value(option, word);
    const placeholder = word.includes('${') ? undefined : placeholderIn(word)?.written;
    if (placeholder !== undefined && placeholderIn(word)?.meant === undefined)
      return word.replace(placeholder, () =>
        this.#asked(option ?? nameOfPlaceholder(placeholder), isSecretName(option ?? '', placeholder)),
      );
    return looksLikeToken(word) && !word.startsWith('-') ? this.#hidden(option ?? 'token', word) : word;
  }

  /** A URL: its password, its secret parameters, segments of its path that nobody writes by hand, and placeholders. */
  url(name: string, url: string): string {
    if (SECRET_NAME.test(name) && !/^url$/i.test(name)) return url.includes('${') ? url : this.#hidden(name, url);
    const parts = /^([a-z][a-z+.-]*:\/\/)(?:([^/?#@\s]*)@)?([^/?#]*)([^?#]*)(.*)$/is.exec(url);
    if (!parts) return url;
    const [, scheme = '', info, host = '', path = '', query = ''] = parts;
    const login = info === undefined ? '' : `${this.#login(name, info)}@`;
    const segments = path.split('/').map((segment) => this.#part('key', segment, isRandom(segment)));
    const parameters = query.replaceAll(
      /([?&#])([^=&#]+)=([^&#]*)/g,
      (_whole, sign: string, key: string, value: string) => {
        const isHidden = SECRET_NAME.test(key) ? isSecret(key, value) : looksLikeToken(value);
        return `${sign}${key}=${this.#part(key, value, isHidden)}`;
      },
    );
    return scheme + login + this.#part('host', host, false) + segments.join('/') + parameters;
  }

  #login(name: string, info: string): string {
    const at = info.indexOf(':');
    if (at < 0 || info.includes('${')) return info;
    const password = info.slice(at + 1);
    return `${info.slice(0, at)}:${password === '' ? '' : this.#hidden(/password/i.test(name) ? name : `${name}-password`, password)}`;
  }

  #part(name: string, text: string, isHidden: boolean): string {
    if (text === '' || text.includes('${')) return text;
    const placeholder = placeholderIn(text)?.written;
    if (placeholder !== undefined)
      return text.replace(placeholder, () =>
        this.#asked(
          name === 'key' || name === 'host' ? nameOfPlaceholder(placeholder) : name,
          isSecretName(name === 'host' ? '' : name, placeholder),
        ),
      );
    return isHidden ? this.#hidden(name, text) : text;
  }

  #hidden(name: string, value: string): string {
    const known = [...this.answers].find(([, answer]) => answer === value)?.[0];
    if (known !== undefined) return `\${input:${known}}`;
    const asked = this.#asked(name, true);
    this.answers.set(asked.slice('${input:'.length, -1), value);
    return asked;
  }

  #asked(name: string, password: boolean): string {
    const slug = (text: string): string =>
      text
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '-')
        .replaceAll(/^-|-$/g, '');
    const server = slug(this.#server);
    const own = slug(name) || 'value';
    const wanted = own.startsWith(server) ? own : `${server}-${own}`;
    let id = wanted;
    for (let count = 2; this.#taken.has(id); count += 1) id = `${wanted}-${count}`;
    this.#taken.add(id);
    this.#inputs.set(id, { id, type: 'promptString', description: `${name} of ${this.#server}`, password });
    return `\${input:${id}}`;
  }
}

/** `--api-key` → `api-key`, in front of its value. */
function optionName(before: string | undefined): string | undefined {
  return /^--?([a-z][\w.-]*)$/i.exec(before ?? '')?.[1];
}

/** `<YOUR_API_KEY>` → `api key`. */
function nameOfPlaceholder(written: string): string {
  return written
    .replaceAll(/[^A-Za-z0-9]+/g, ' ')
    .trim()
    .replace(/^(?:(?:your|insert|enter|the|my|path to|absolute) )+/i, '')
    .toLowerCase();
}

function isSecretName(name: string, placeholder: string): boolean {
  return [name, nameOfPlaceholder(placeholder)].some(
    (each) => SECRET_NAME.test(each) || /\b(?:key|token|pat)\b/i.test(each),
  );
}

/** A segment of a path that is a key: long, and of letters and digits. A UUID may be one. */
function isRandom(segment: string): boolean {
  return (
    /^[\w-]{20,}$/.test(segment) &&
    /\d/.test(segment) &&
    /[a-z]/i.test(segment) &&
    looksLikeToken(segment.replaceAll('-', ''))
  );
}
