import { programName } from '../../../base/files/programName.ts';
import { say } from '../../../base/say.ts';
import { replacing, type EntryReader, type TextItem } from '../entryReader.ts';

/** Long options without a value. */
const FLAGS: ReadonlySet<string> = new Set([
  ...['--interactive', '--tty', '--rm', '--detach', '--init', '--privileged', '--publish-all', '--quiet'],
  ...['--read-only', '--no-healthcheck', '--oom-kill-disable', '--disable-content-trust', '--sig-proxy'],
]);
/** Short options with a value: what follows in the same word, or the next word. */
const WITH_VALUE = /[acehlmpuvw]/;

/**
 * Points out a `docker run` that can't work: a server reads its stdin, which needs `-i`, and `-t` wants a terminal, which
 * there is none of.
 */
export function checkDockerRun(reader: EntryReader, program: string, args: readonly TextItem[]): void {
  if (!/^(?:docker|podman|nerdctl)$/.test(programName(program))) return;
  const words = args[0]?.text === 'container' ? args.slice(1) : args;
  const [run] = words;
  if (run?.text !== 'run') return;
  const options = optionsOf(words.slice(1));
  if (!options) return;
  const has = (long: string, short: string): TextItem | undefined =>
    options.find(({ text }) => text === long || shortOnes(text).includes(short));
  const terminal = has('--tty', 't');
  if (terminal) {
    const isTogether = shortOnes(terminal.text).length > 1;
    const edit = replacing(terminal.node, JSON.stringify(terminal.text.replace('t', '')));
    reader.report(terminal.node, 'docker-terminal', 'warning', {
      message: say`\`${terminal.text}\` wants a terminal, and a server has none: the container won’t start.`,
      fix: say`Write \`-i\` in place of it.`,
      ...(isTogether && reader.source.syntax === 'jsonc' ? { edit } : {}),
    });
  }
  if (has('--interactive', 'i') ?? has('--detach', 'd')) return;
  reader.report(run.node, 'docker-stdin', 'warning', {
    message: say`Without \`-i\`, a container’s stdin is closed, so its server can’t be reached.`,
    fix: say`Add \`-i\` behind \`run\`.`,
  });
}

/** The options before the image; `undefined`: there is no image. */
function optionsOf(words: readonly TextItem[]): readonly TextItem[] | undefined {
  const options: TextItem[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (!word?.text.startsWith('-')) return options;
    options.push(word);
    if (takesNext(word.text)) at += 1;
  }
  return undefined;
}

function takesNext(option: string): boolean {
  if (option.startsWith('--')) return !option.includes('=') && !FLAGS.has(option);
  return option.slice(1).search(WITH_VALUE) === option.length - 2;
}

/** The letters of a word of short options that have no value. */
function shortOnes(option: string): string {
  if (!/^-[a-zA-Z]/.test(option)) return '';
  const letters = option.slice(1);
  const end = letters.search(WITH_VALUE);
  return end < 0 ? letters : letters.slice(0, end);
}
