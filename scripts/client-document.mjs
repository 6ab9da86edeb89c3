// node scripts/client-document.mjs URL: prints the client ID metadata document to publish at the URL (docs/sign-in.md).
// Needs a Node that reads TypeScript: `npm run -s client-document -- URL` takes the one of the packages.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { node24, root } from './lib/paths.mjs';

const [url = ''] = process.argv.slice(2);
const module = pathToFileURL(join(root, 'src', 'connection', 'auth', 'flow', 'clientDocument.ts')).href;
const program = `import { clientDocument } from ${JSON.stringify(module)};
try { console.log(JSON.stringify(clientDocument(process.argv[1]), undefined, 2)); }
catch (error) { console.error(error.message); process.exitCode = 1; }`;
const { status } = spawnSync(node24, ['--input-type=module', '--eval', program, '--', url], { stdio: 'inherit' });
process.exitCode = status ?? 1;
