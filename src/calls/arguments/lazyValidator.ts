import type { JsonObject } from '../../base/json.ts';

interface Validator {
  validate(schema: JsonObject, args: JsonObject): readonly string[];
}

/** The validator of arguments, loaded with the first that are checked. */
export class LazyValidator {
  readonly #load: () => Promise<Validator>;
  #loading: Promise<Validator> | undefined;
  #loaded: Validator | undefined;

  constructor(load: () => Promise<Validator>) {
    this.#load = load;
  }

  /** One sentence per mistake in `args` against a JSON schema; at once where the validator is loaded. */
  validate(schema: JsonObject, args: JsonObject): readonly string[] | Promise<readonly string[]> {
    return this.#loaded?.validate(schema, args) ?? this.#first(schema, args);
  }

  async #first(schema: JsonObject, args: JsonObject): Promise<readonly string[]> {
    this.#loaded = await (this.#loading ??= this.#load());
    return this.#loaded.validate(schema, args);
  }
}
