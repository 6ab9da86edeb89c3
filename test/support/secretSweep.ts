// Looks for secrets that were given away in a test in everything that must not have them.
import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';

/** What is called secret in the messages of OAuth: RFC 6749, 7009, 7521, 7591, 7636, 8693, and OpenID Connect. */
const SECRET_MEMBERS = new Set([
  ...['access_token', 'refresh_token', 'id_token', 'token', 'code', 'code_verifier', 'device_code'],
  ...['client_secret', 'registration_access_token', 'client_assertion', 'assertion', 'subject_token', 'actor_token'],
]);

/** Secrets, each with its kind, and the places where one of them was found. */
export class SecretSweep {
  /** The forms of each secret, with its kind. */
  readonly #forms = new Map<string, string>();
  readonly #known = new Map<string, string>();
  readonly #leaks = new Set<string>();

  /** How many different secrets are looked for. */
  get size(): number {
    return this.#known.size;
  }

  get kinds(): readonly string[] {
    return [...new Set(this.#known.values())];
  }

  add(kind: string, value: string): void {
    if (this.#known.has(value)) return;
    this.#known.set(value, kind);
    for (const form of formsOf(value)) this.#forms.set(form, kind);
  }

  /** Adds the secrets of a message, whether it is a form, a query or JSON that was read. */
  addMembers(members: Iterable<readonly [name: string, value: unknown]>): void {
    for (const [name, value] of members)
      if (SECRET_MEMBERS.has(name) && typeof value === 'string' && value !== '') this.add(name, value);
  }

  /** Looks in a text, or in all that a value shows of itself. */
  look(place: string, value: unknown): void {
    const text =
      typeof value === 'string'
        ? value
        : inspect(value, { depth: Infinity, maxStringLength: null, maxArrayLength: null });
    for (const [form, kind] of this.#forms) if (text.includes(form)) this.#leaks.add(`${kind} in ${place}`);
  }

  /**
   * Looks in every file below a folder, and in their names. Links aren't followed, as a recursive `readdir` does: the extension
   * in an editor's data is one to a whole repository.
   */
  lookInFiles(place: string, folder: string, isMeant: (path: string) => boolean = () => true): void {
    for (const entry of orNothing(() => readdirSync(folder, { withFileTypes: true }), [])) {
      const path = join(folder, entry.name);
      this.look(`${place}: a name`, path);
      if (entry.isDirectory()) this.lookInFiles(place, path, isMeant);
      if (entry.isFile() && isMeant(path)) this.look(`${place}: ${path}`, textOf(path));
    }
  }

  /** Looks in the arguments and the environment of every process of this machine that may be looked at. */
  lookAtProcesses(): void {
    if (process.platform !== 'linux') return;
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
      for (const what of ['cmdline', 'environ']) {
        try {
          this.look(`${what} of a process`, readFileSync(join('/proc', pid, what), 'latin1'));
        } catch {
          // It ended meanwhile, or is somebody else's.
        }
      }
  }

  /** Fails where something was found; what was found isn't shown. */
  assertClean(): void {
    assert.deepEqual([...this.#leaks], []);
  }
}

/** What programs make of a text: as it is, in JSON, in an address, in hexadecimal and in base64 within other bytes. */
function formsOf(value: string): ReadonlySet<string> {
  const bytes = Buffer.from(value);
  const within = [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    return text.slice(Math.ceil((offset * 4) / 3), Math.floor(((offset + bytes.length) * 4) / 3));
  });
  const base64 =
    value.length < 8 ? [] : [...within, ...within.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))];
  return new Set([
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value),
    bytes.toString('hex'),
    ...base64,
  ]);
}

function textOf(path: string): string {
  return orNothing(() => readFileSync(path, 'latin1'), '');
}

/** Windows that still run may remove a file meanwhile. */
function orNothing<T>(read: () => T, nothing: T): T {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return nothing;
    throw error;
  }
}
