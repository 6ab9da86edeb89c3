// Surveys servers (see ../survey.mjs).
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { node24, root } from '../lib/paths.mjs';
import { say } from '../lib/run.mjs';
import { withReplays } from './replays-table.mjs';
import { replayServer } from './replay-server.mjs';
import { surveyed } from './surveyed.mjs';
import { surveyServer } from './survey-server.mjs';
import { serversPage } from './servers-page.mjs';

const scratch = join(root, '.cache', 'survey');
const results = join(scratch, process.argv.includes('--replay') ? 'replays.json' : 'results.json');
const names = Object.keys(surveyed(''));
const replays = process.argv.includes('--replay');
const wanted = process.argv.slice(2).filter((word) => word !== '--replay');
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  say(`There is no ${unknown.join(', ')}. The servers are: ${names.join(', ')}`);
  process.exit(2);
}

/** The cache of npm in the scratch folder; a home of its own, so that nothing of this machine is read or written. */
function environment(home) {
  const path = (process.env.PATH ?? '').split(delimiter).filter((entry) => !/node_modules[\\/]\.bin$/.test(entry));
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'))),
    HOME: home,
    PATH: [dirname(node24), ...path].join(delimiter),
    npm_config_cache: join(scratch, 'npm'),
    // Packages that are compiled need Node's headers, which node-gyp fetches from elsewhere unless the machine has them.
    ...(existsSync('/usr/include/node/node_api.h') && { npm_config_nodedir: '/usr' }),
  };
}

// The pool's own timers don't keep a process alive.
setInterval(() => undefined, 60_000);
for (const name of wanted.length > 0 ? wanted : names) {
  const dir = join(scratch, 'work', name);
  const home = join(scratch, 'home', name);
  for (const folder of [dir, home]) mkdirSync(folder, { recursive: true });
  say(name);
  const use = replays ? replayServer : surveyServer;
  const row = await use(surveyed(dir)[name], { dir, env: environment(home), home, say });
  mkdirSync(scratch, { recursive: true });
  const known = readResults();
  const day = new Date().toISOString().slice(0, 10);
  writeFileSync(results, JSON.stringify({ ...known, [name]: { ...row, day } }, null, 2));
  say(JSON.stringify(row));
}
if (replays) {
  const page = join(root, 'docs', 'recording.md');
  writeFileSync(page, withReplays(readFileSync(page, 'utf8'), names, readResults()));
} else {
  writeFileSync(join(root, 'docs', 'servers.md'), serversPage(names, readResults()));
}
process.exit();

function readResults() {
  try {
    return JSON.parse(readFileSync(results, 'utf8'));
  } catch {
    return {};
  }
}
