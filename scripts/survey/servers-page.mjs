// The page docs/servers.md.

const NEEDS = {
  account: 'an account',
  network: 'its own service on the network',
  database: 'a database',
};

export function serversPage(names, results) {
  const found = names.filter((name) => results[name]);
  const rows = found.map((name) => line(name, results[name]));
  const days = found.map((name) => results[name].day).sort();
  const when = days[0] === days.at(-1) ? `on ${days[0]}` : `from ${days[0]} to ${days.at(-1)}`;
  return `# Real servers

Servers of others, started through their package runners as their own documentation says, with an empty cache or a warm one, and used
by \`npm run -s survey\`, which writes this page, ${when}. Each is connected, its tools are listed, three are called with real arguments, its
process is killed and it has to come back by itself, and it is stopped. The network of the survey reaches the package registries
only, so calls that need more are answered by the server with what it lacks; the answer counts if it arrives. A row with a failure in
place of its numbers is open.

| Server | Command | Protocol | Tools | Connected after (of it installing) | Calls | Back after | Stopped in, left |
| --- | --- | --- | --- | --- | --- | --- | --- |
${rows.join('\n')}
`;
}

function line(name, row) {
  const cells = [name, `\`${row.command}\``];
  if (row.failure) return `| ${[...cells, '', '', cell(row.failure), '', '', ''].join(' | ')} |`;
  const { needs } = row;
  const installing = row.installMs > 0 ? ` (${seconds(row.installMs)})` : '';
  const left = Array.isArray(row.left)
    ? row.left.length === 0
      ? 'nothing'
      : `${row.left.length} processes`
    : 'unknown';
  return `| ${[
    ...cells,
    row.protocol,
    `${row.tools}${row.leftOut?.length ? `, ${row.leftOut.length} left out` : ''}`,
    seconds(row.connectMs) + installing,
    row.calls.map((call) => callText(call, needs)).join('; '),
    row.regain.failure ? cell(row.regain.failure) : seconds(row.regain.ms),
    `${seconds(row.stopMs)}, ${left}`,
  ].join(' | ')} |`;
}

function callText({ tool, ok, isError, text }, needs) {
  if (ok && /fetch failed|ENOTFOUND|getaddrinfo/.test(text))
    return `\`${tool}\` answers that it needs ${NEEDS[needs] ?? 'the network'}`;
  if (ok && !isError) return `\`${tool}\` ok`;
  if (ok) return `\`${tool}\` refused${needs ? `: needs ${NEEDS[needs]}` : ' as it should'}`;
  return `\`${tool}\` **failed**: ${cell(text).slice(0, 120)}`;
}

function cell(text) {
  return text
    .replaceAll('\n', ' ')
    .replaceAll('|', '\\|')
    .replaceAll('<', '\\<')
    .replaceAll(/\/\S*\.cache\/survey\S*/g, '…');
}

function seconds(ms) {
  return `${Math.round(ms / 100) / 10} s`;
}
