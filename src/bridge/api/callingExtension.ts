import { realpathSync } from 'node:fs';
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
 * The id of the extension that asks for the API: the one whose code called, which must be the one it says it is. One that is
 * named where no extension's code can be seen is `… (unverified)`, so that it has nothing of what the user decided about the
 * real one. No proof, since all extensions share one process; see docs/api.md.
 * @param stack of the call
 * @param own this extension's id, which is on every stack
 * @throws SwitchboardError `invalid-arguments` for an extension that isn't installed, `denied` for one that another names
 */
export function callerId(
  caller: ApiCaller | undefined,
  stack: string,
  installed: readonly InstalledExtension[],
  own: string,
): string {
  const calling = innermost(stack, installed, own);
  if (caller === undefined) return calling ?? UNKNOWN;
  const id: unknown = 'extension' in caller ? caller.extension?.id : caller.id;
  const found = installed.find((each) => typeof id === 'string' && each.id.toLowerCase() === id.toLowerCase());
  if (!found) {
    throw new SwitchboardError('invalid-arguments', `No extension “${String(id)}” is installed.`, {
      remedy: 'Pass your ExtensionContext: getApi(1, context).',
    });
  }
  if (calling === undefined) return `${found.id} (unverified)`;
  if (calling === found.id) return calling;
  throw new SwitchboardError('denied', `${calling} asked for the API in the name of ${found.id}.`, {
    remedy: 'Call getApi from the extension that it is for.',
  });
}

/** The extension of the innermost frame that is of one. */
function innermost(stack: string, installed: readonly InstalledExtension[], own: string): string | undefined {
  const others = installed
    .filter(({ id }) => id.toLowerCase() !== own.toLowerCase())
    .map(({ id, extensionPath }) => {
      const paths = [extensionPath, realPath(extensionPath)].filter((path) => path !== '');
      return { id, paths: paths.flatMap((path) => [path, encodeURI(path)]).map((path) => `${comparable(path)}/`) };
    });
  for (const frame of comparable(stack).split('\n')) {
    const of = others.find(({ paths }) => paths.some((path) => frame.includes(path)));
    if (of) return of.id;
  }
  return undefined;
}

/** On Windows, a path on a stack may have another case and other separators, as in the address of an ES module. */
function comparable(text: string): string {
  return process.platform === 'win32' ? text.replaceAll('\\', '/').toLowerCase() : text;
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return '';
  }
}
