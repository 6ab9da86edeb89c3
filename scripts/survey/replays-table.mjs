// The table of docs/recording.md with what the recordings of real servers answer.

const HEAD = '| Server | Protocol | Tools | Calls | Events, KB | Different in the recording |';

/** The document with its table as the results have it; its other lines stay as they are. */
export function withReplays(text, names, results) {
  const lines = text.split('\n');
  const at = lines.indexOf(HEAD);
  if (at < 0) throw new Error(`docs/recording.md has no line ${HEAD}`);
  const end = lines.findIndex((line, index) => index > at && !line.startsWith('|'));
  const rows = names.filter((name) => results[name]).map((name) => line(name, results[name]));
  return [...lines.slice(0, at + 2), ...rows, ...lines.slice(end)].join('\n');
}

function line(name, { failure, protocol, tools, calls, events, bytes, differences }) {
  if (failure) return `| ${name} | | | | | ${failure.replaceAll('|', String.raw`\|`)} |`;
  const size = `${events}, ${Math.ceil(bytes / 1024)}`;
  return `| ${name} | ${protocol} | ${tools} | ${calls} | ${size} | ${differences.length === 0 ? 'nothing' : differences.join(', ')} |`;
}
