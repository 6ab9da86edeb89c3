// Loaded when a preset is given to a custom agent.
import { say } from '../../base/say.ts';

/** What a custom agent’s file comes to say; a sentence why it stays as it is; nothing where it names the tools already. */
export type AgentEdit = { readonly text: string } | { readonly refusal: string } | undefined;

/** Of the editor's own, what an agent has that named none before: it reads, and changes nothing. */
const BASIC_TOOLS = ['read', 'search'];

/**
 * The text of a custom agent (`.agent.md`) whose `tools` name `reference`, too. Everything else stays as it is. One that named
 * no tools had all; from now on it has those that read, and these.
 * @param text empty for a new one
 * @param name of a new one
 * @param body what a new one says below its head
 */
export function withAgentTools(text: string, reference: string, name: string, body = ''): AgentEdit {
  const quoted = `'${reference.replaceAll("'", "''")}'`;
  const basic = `tools: [${[...BASIC_TOOLS.map((tool) => `'${tool}'`), quoted].join(', ')}]`;
  if (text.trim() === '') {
    const head = ['---', `description: ${JSON.stringify(name)}`, basic, '---', '', body];
    return { text: `${head.join('\n')}\n` };
  }
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const [, open = '', head = '', close = ''] = /^(\uFEFF?---\r?\n)([\s\S]*?)(^---[ \t]*(?:\r?\n|$))/m.exec(text) ?? [];
  if (open === '' || !text.startsWith(open)) return { text: `---${eol}${basic}${eol}---${eol}${eol}${text}` };
  const rest = text.slice(open.length + head.length + close.length);
  const put = (edited: string): AgentEdit => ({ text: open + edited + close + rest });
  const lines = head.split(/(?<=\n)/);
  const places = lines.flatMap((line, index) => (/^tools[ \t]*:/.test(line) ? [index] : []));
  const [at] = places;
  if (at === undefined) return put(head + basic + eol);
  if (places.length > 1) return { refusal: say`It has \`tools\` twice.` };
  const value = (lines[at] ?? '').replace(/^tools[ \t]*:[ \t]*/, '').trimEnd();
  const items = /^\[(.*)\]$/.exec(value)?.[1];
  if (items !== undefined) {
    if (plainItems(items.split(',')).includes(reference)) return undefined;
    const before = items.trim() === '' ? '' : `${items.trimEnd().replace(/,$/, '')}, `;
    return put(lines.with(at, `tools: [${before}${quoted}]${eol}`).join(''));
  }
  if (value !== '')
    return { refusal: say`Its \`tools\` are no list in one line, nor one item a line. Change them by hand.` };
  let last = at;
  while (/^[ \t]*-[ \t]/.test(lines[last + 1] ?? '')) last += 1;
  const block = lines.slice(at + 1, last + 1);
  if (block.length === 0) return put(lines.with(at, basic + eol).join(''));
  if (plainItems(block.map((line) => line.replace(/^[ \t]*-/, ''))).includes(reference)) return undefined;
  const indent = /^[ \t]*/.exec(block.at(-1) ?? '')?.[0] ?? '';
  const tail = lines[last]?.endsWith('\n') === true ? '' : eol;
  return put(lines.toSpliced(last + 1, 0, `${tail}${indent}- ${quoted}${eol}`).join(''));
}

function plainItems(items: readonly string[]): readonly string[] {
  return items.map((item) => item.trim().replace(/^(['"])(.*)\1$/, '$2'));
}
