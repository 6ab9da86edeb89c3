/**
 * The settings that had another name, by the new one: a value under the old name counts while the new one has none. The manifest
 * keeps the old one as deprecated, so that the editor says so where it is set.
 */
export const RENAMED: Readonly<Record<string, string>> = {
  'timeouts.installMs': 'timeouts.packageRunnerHandshakeMs',
};
