/**
 * What a version lacks to be released, a line each: docs/releasing.md says what to do for one.
 * @param {{
 *   version: string,
 *   lock: { version?: string, packages: Record<string, { version?: string }> }, // package-lock.json
 *   changelog: string,
 *   fixtures: readonly string[], // versions whose state is kept as a fixture
 * }} tree
 * @returns {string[]}
 */
export function releaseFaults({ version, lock, changelog, fixtures }) {
  // Marketplaces take no other form.
  if (!/^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}$/.test(version)) return [`${version} isn’t MAJOR.MINOR.PATCH.`];
  const faults = [];
  if (lock.version !== version || lock.packages['']?.version !== version)
    faults.push(`package-lock.json is of ${lock.version}: \`npm install --package-lock-only\` takes the version over.`);
  const head = /^## .*$/m.exec(changelog)?.[0] ?? 'nothing';
  const [, of, date = ''] = /^## (\S+) — (\d{4}-\d\d-\d\d)$/.exec(head) ?? [];
  if (of !== version || Number.isNaN(Date.parse(date)))
    faults.push(`CHANGELOG.md begins with “${head}”, and not with “## ${version} — YYYY-MM-DD”.`);
  if (!fixtures.includes(version))
    faults.push(`test/fixtures/state has no ${version}: \`npm run state-fixture\` writes what this version keeps.`);
  return faults;
}
