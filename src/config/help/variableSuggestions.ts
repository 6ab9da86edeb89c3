import { say } from '../../base/say.ts';
import type { InputDefinition } from '../configTypes.ts';
import type { Suggestion } from './suggestion.ts';
import type { TextPlace } from './textPlace.ts';

/** What variables can name here. Values are none of it. */
export interface VariableNames {
  /** Names of environment variables that are set. */
  readonly environment: readonly string[];
  /** Names of the workspace's folders. */
  readonly folders: readonly string[];
  /** The inputs of the file. */
  readonly inputs: readonly InputDefinition[];
}

/**
 * The variables that can be written where a `${` is being written, or a string begins; none in a default.
 * @param rest what follows the cursor in the same string
 */
export function variableSuggestions(place: TextPlace, rest: string, names: VariableNames): Suggestion[] {
  const open = /\$\{([^${}]*)$/.exec(place.before) ?? /\$()$/.exec(place.before);
  const isStart = place.before === '' && rest === '';
  if ((!open && !isStart) || open?.[1]?.includes(':-')) return [];
  const typed = open?.[0] ?? '';
  const tail = open ? (/^[\w:.-]*\}?/.exec(rest)?.[0].length ?? 0) : 0;
  const end = place.content.offset + place.before.length;
  const replaced = {
    offset: end - typed.length,
    length: typed.length + (rest.slice(0, tail).endsWith('}') ? tail : 0),
  };
  return namesOf(names).map(({ variable, detail, kind }): Suggestion => ({
    kind: kind ?? 'variable',
    label: `\${${variable}}`,
    detail,
    text: `\${${variable}}`,
    isSnippet: false,
    replaced,
    filter: `\${${variable}}`,
  }));
}

interface Named {
  readonly variable: string;
  readonly detail: string;
  readonly kind?: 'input';
}

function namesOf({ environment, folders, inputs }: VariableNames): readonly Named[] {
  const named = folders.length > 1 ? folders : [];
  return [
    ...inputs.map(({ id, type }): Named => ({
      variable: `input:${id}`,
      detail: type === 'command' ? say`A command of VS Code` : say`You are asked for it`,
      kind: 'input',
    })),
    { variable: 'workspaceFolder', detail: say`The folder that the server is for` },
    ...named.map((name) => ({ variable: `workspaceFolder:${name}`, detail: say`This folder` })),
    { variable: 'workspaceFolderBasename', detail: say`The folder’s name` },
    { variable: 'userHome', detail: say`Your home folder` },
    { variable: 'pathSeparator', detail: '/ or \\' },
    ...environment.map((name) => ({ variable: `env:${name}`, detail: 'Environment' })),
  ];
}
