import { checkCommandLine } from './commandLine.ts';
import type { EntryReader, TextItem } from './entryReader.ts';
import type { Member } from '../syntax/configNode.ts';
import type { TransportSpec } from '../configTypes.ts';

/**
 * Reads what starts a process.
 * @param command the member of that name: a text, a list that has the arguments, too, or an object (Zed's `path`, `args`
 *   and `env`)
 */
export function readStdio(reader: EntryReader, command: Member): TransportSpec | undefined {
  if (command.value.type === 'object') {
    const inner = reader.inside(command.value);
    const path = inner.first(['path']);
    if (path && path.value.type !== 'object') return readStdio(inner, path);
  }
  const words = command.value.type === 'array' ? reader.items('command', command.value) : commandText(reader, command);
  const [program, ...first] = words;
  if (program === undefined || program.text.trim() === '') {
    if (reader.problems.every((problem) => problem.severity !== 'error'))
      reader.report(command.value, 'empty-command', 'error', {
        message: '`command` is empty.',
        fix: 'Name the program to start, e.g. `npx`.',
      });
    return undefined;
  }
  if (command.value.type === 'string') checkCommandLine(reader, command, program.text);
  const args = [...first, ...reader.texts(['args'])];
  const cwd = reader.text(['cwd']);
  const envFile = reader.text(['envFile']);
  return {
    type: 'stdio',
    command: reader.note('command', program.text, program.node),
    args: args.map(({ text, node }, index) => reader.note(`args[${index}]`, text, node)),
    env: reader.textMap(['env', 'environment']),
    ...(cwd === undefined ? {} : { cwd }),
    ...(envFile === undefined ? {} : { envFile }),
  };
}

function commandText(reader: EntryReader, command: Member): TextItem[] {
  const text = reader.text([command.key]);
  return text === undefined ? [] : [{ text, node: command.value }];
}
