import * as zod from 'zod';

/**
 * In place of the package `zod/v4` in the bundle. The SDK makes some 600 schemas when it is loaded, and 1,300 more with the first
 * answer, of which a connection uses a tenth. Here a schema is a recipe, and made when it is first used.
 */

type Schema = Readonly<Record<PropertyKey, unknown>>;
type Make = (...args: never[]) => unknown;

/** Methods of a schema that give another schema. One that isn't named here makes its schema at once. */
const DERIVING: readonly PropertyKey[] = [
  'and',
  'array',
  'catch',
  'catchall',
  'default',
  'describe',
  'extend',
  'int',
  'loose',
  'max',
  'merge',
  'min',
  'nonnegative',
  'nullable',
  'optional',
  'or',
  'passthrough',
  'pick',
  'pipe',
  'refine',
  'strict',
  'strip',
  'superRefine',
  'transform',
];

class Recipe {
  readonly #make: () => Schema;
  #schema: Schema | undefined;

  constructor(make: () => Schema) {
    this.#make = make;
  }

  static schemaOf(recipe: Recipe): Schema {
    return (recipe.#schema ??= recipe.#make());
  }

  /** What schemas ask each other for with each value that they check: looked up once. */
  get _zod(): unknown {
    const value = Recipe.schemaOf(this)['_zod'];
    Object.defineProperty(this, '_zod', { value });
    return value;
  }

  /** By its being there, the SDK knows a schema from other objects. */
  get '~standard'(): unknown {
    return Recipe.schemaOf(this)['~standard'];
  }
}

/** Whatever else a recipe is asked for, its schema has. */
const ofTheSchema: ProxyHandler<object> = {
  get: (_target, name, recipe: Recipe) => {
    const own = (): unknown => {
      const schema = Recipe.schemaOf(recipe);
      const value = schema[name];
      return typeof value === 'function' ? (value.bind(schema) as unknown) : value;
    };
    if (!DERIVING.includes(name)) return own();
    return (...args: readonly unknown[]) =>
      new Recipe(() => (own() as (...args: readonly unknown[]) => Schema)(...args));
  },
};
Object.setPrototypeOf(Recipe.prototype, new Proxy({}, ofTheSchema));

function lazily<T extends Make>(make: T): T {
  return ((...args: Parameters<T>) => new Recipe(() => make(...args) as Schema)) as unknown as T;
}

// What the SDK uses; the bundler complains of what is missing.
export const any = lazily(zod.any);
export const array = lazily(zod.array);
export const boolean = lazily(zod.boolean);
export const custom = lazily(zod.custom);
export const discriminatedUnion = lazily(zod.discriminatedUnion);
export const email = lazily(zod.email);
const enumOf = lazily(zod.enum);
export const intersection = lazily(zod.intersection);
export const lazy = lazily(zod.lazy);
export const literal = lazily(zod.literal);
export const looseObject = lazily(zod.looseObject);
export const never = lazily(zod.never);
const nothing = lazily(zod.null);
export const number = lazily(zod.number);
export const object = lazily(zod.object);
export const optional = lazily(zod.optional);
export const preprocess = lazily(zod.preprocess);
export const record = lazily(zod.record);
export const string = lazily(zod.string);
const missing = lazily(zod.undefined);
export const union = lazily(zod.union);
export const unknown = lazily(zod.unknown);
export const url = lazily(zod.url);
export { enumOf as enum, missing as undefined, nothing as null };
export { coerce, iso, NEVER, safeParse, toJSONSchema, ZodIssueCode } from 'zod';
// As `import { z }` has it.
// oxlint-disable-next-line import/no-self-import -- its own namespace, and nothing that runs
export * as z from './lazyZod.ts';
