import { realpathSync } from 'node:fs';
import { sep } from 'node:path';
import type { ApiCaller } from '../../api.d.ts';
import { SwitchboardError } from '../../base/errors.ts';

/** An extension as far as it matters here. */
export interface InstalledExtension {
  readonly id: string;
  readonly extensionPath: string;
}

/** Stands for an extension that can't be told. */
const UNKNOWN = '(unknown)';

/**
 * The id of the extension that asks for the API: the one it says it is, else the one whose code is on the call stack.
 * Neither is a proof, since all extensions share one process; see docs/api.md.
 * @param own this extension's id, which is on every stack
 * @throws SwitchboardError `invalid-arguments` for an extension that isn't installed
 */
export function callerId(
  caller: ApiCaller | undefined,
  stack: string,
  installed: readonly InstalledExtension[],
  own: string,
): string {
  if (caller === undefined) return onStack(stack, installed, own) ?? UNKNOWN;
  const id: unknown = 'extension' in caller ? caller.extension?.id : caller.id;
  const found = installed.find((each) => typeof id === 'string' && each.id.toLowerCase() === id.toLowerCase());
  if (found) return found.id;
  throw new SwitchboardError('invalid-arguments', `No extension “${String(id)}” is installed.`, {
    remedy: 'Pass your ExtensionContext: getApi(1, context).',
  });
}

function onStack(stack: string, installed: readonly InstalledExtension[], own: string): string | undefined {
  const others = installed.filter(({ id }) => id.toLowerCase() !== own.toLowerCase());
  return others.find(({ extensionPath }) =>
    [extensionPath, realPath(extensionPath)].some((path) => path !== '' && stack.includes(path + sep)),
  )?.id;
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return '';
  }
}
