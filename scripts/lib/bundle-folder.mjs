import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Files that only the bundler makes side by side, and those that it makes besides. */
const MARKS = ['extension.js', 'bundle.l10n.json'];
const OWN = /\.(?:js|js\.map|br|css)$|^(?:bundle\.l10n\.[\w.-]*json|build\.json)$/;

/**
 * Takes away what an earlier bundling wrote into a folder. The folder may be anybody's: one that holds anything else is left as it is.
 * @param {string} folder
 * @throws where the folder holds what isn't the bundler's
 */
export function emptyBundleFolder(folder) {
  if (!existsSync(folder)) return;
  const entries = readdirSync(folder, { withFileTypes: true });
  if (entries.length === 0) return;
  const foreign = entries.find((entry) => !entry.isFile() || !OWN.test(entry.name))?.name;
  if (foreign !== undefined)
    throw new Error(`${folder} holds ${foreign}, which isn’t of a bundle. Name another folder.`);
  const missing = MARKS.find((mark) => !entries.some(({ name }) => name === mark));
  if (missing !== undefined)
    throw new Error(`${folder} isn’t a folder of bundles: it has no ${missing}. Name another, or empty it.`);
  for (const { name } of entries) rmSync(join(folder, name));
}
