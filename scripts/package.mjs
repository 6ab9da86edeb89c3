// npm run package [-- --out DIR] [--tag TAG]: the VSIX, its bill of materials and SHA256SUMS, in out/package.
//
// The same commit gives the same bytes on each machine: order, dates, permissions and the line ends are fixed, and what
// bundles and packs is the Node and the packages of package-lock.json.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildIdentity, git } from './lib/build-identity.mjs';
import { ensurePackages } from './lib/install.mjs';
import { node24, root } from './lib/paths.mjs';
import { isPreRelease } from './lib/release-channel.mjs';
import { say, withNode } from './lib/run.mjs';

const MAX_BYTES = 1_200_000;

const { values } = parseArgs({
  options: { out: { type: 'string', default: join(root, 'out', 'package') }, tag: { type: 'string' } },
});
const folder = resolve(values.out);

const { name, version, repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
if (values.tag !== undefined && values.tag !== `v${version}`) {
  say(`The tag ${values.tag} isn't that of version ${version}: package.json has to say the version that is tagged.`);
  process.exit(1);
}
const identity = buildIdentity();
if (values.tag !== undefined) {
  const readiness = spawnSync(process.execPath, [join(root, 'scripts/release-ready.mjs')], { stdio: ['ignore', 2, 2] });
  if (readiness.status !== 0) process.exit(1);
  try {
    git('merge-base', '--is-ancestor', 'HEAD', 'origin/main');
  } catch {
    say(`The tag ${values.tag} isn't on main: a release is made of what was merged.`);
    process.exit(1);
  }
  // What isn't in the commit would be in the package, new files among it.
  const differing = git('status', '--porcelain', '--untracked-files=all');
  if (differing !== '') {
    say(`A release is made of a commit, and these files differ from it:\n${differing}`);
    process.exit(1);
  }
}
await ensurePackages();
const { sbom } = await import('./lib/sbom.mjs');
const vsix = join(folder, `${name}-${version}.vsix`);
mkdirSync(folder, { recursive: true });
// Those of an earlier version, too; the folder may be anybody's, so nothing else goes.
for (const file of readdirSync(folder).filter((each) => isOwn(each, name))) rmSync(join(folder, file));

// The documents as they are in this version: those of a later one may say what it doesn't do.
const files = (/** @type {'blob' | 'raw'} */ kind) => `${repository.url.replace(/\.git$/, '')}/${kind}/v${version}`;
const links = ['--baseContentUrl', files('blob'), '--baseImagesUrl', files('raw')];
const channel = isPreRelease(version) ? ['--pre-release'] : [];
const args = ['package', '--no-dependencies', '--out', vsix, ...links, ...channel];
const { status } = spawnSync(node24, [join(root, 'node_modules/@vscode/vsce/vsce'), ...args], {
  cwd: root,
  stdio: ['ignore', 2, 2],
  // Time zone and language decide about dates and the order of names.
  env: { ...withNode(node24), SOURCE_DATE_EPOCH: String(identity.seconds), TZ: 'UTC', LC_ALL: 'C', LANG: 'C' },
});
if (status !== 0) process.exit(1);
execFileSync(node24, [join(root, 'scripts/lib/normalize-zip.mjs'), vsix]);

const checksum = installedChecksum();
const bill = join(folder, `${name}-${version}.cdx.json`);
writeFileSync(bill, `${sbom({ ...identity, checksum })}\n`);
const sums = [vsix, bill].map((file) => `${sha256(readFileSync(file))}  ${basename(file)}\n`);
writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));

const { size } = statSync(vsix);
say(
  `${isPreRelease(version) ? 'Pre-release' : 'Release'} of commit ${identity.commit}, ${(size / 1000).toFixed(0)} kB.`,
);
say(`Doctor says ${checksum} of its installed files.`);
process.stdout.write(sums.join(''));
if (size > MAX_BYTES) {
  say(`The VSIX has ${size} bytes; at most ${MAX_BYTES} are wanted.`);
  process.exitCode = 1;
}

/** Whether this script has made a file of that name. */
function isOwn(file, name) {
  return file === 'SHA256SUMS' || (file.startsWith(`${name}-`) && /\.(?:vsix|cdx\.json)$/.test(file));
}

/** What *Doctor* will say of the package when it is installed. */
function installedChecksum() {
  return execFileSync(node24, [join(root, 'scripts/lib/package-checksum.mjs'), vsix], { encoding: 'utf8' }).trim();
}

/** @param {Buffer} bytes */
function sha256(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}
