// Loaded with the first skill that is loaded.
import { CORE_SCHEMA, loadAll } from 'js-yaml';

/** The fields of a frontmatter, with the types of YAML 1.2; `undefined` where it is no YAML. Never throws. */
export function readFrontmatter(yaml: string): unknown {
  try {
    return loadAll(yaml, null, { schema: CORE_SCHEMA })[0];
  } catch {
    return undefined;
  }
}
