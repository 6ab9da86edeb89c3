import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What set-up writes for a person who signs in, so that the bundled agent is on with no account. These are keys of the
 * workbench's global storage, which for a browser is one IndexedDB per origin.
 */
const state = {
  'extensionsIdentifiers/disabled': '[]',
  builtinChatExtensionEnablementMigration: 'true',
  'chat.setupContext.migrated.v1': 'true',
  'chat.setupContext': JSON.stringify({ entitlement: 1, installed: true, completed: true, registered: false }),
};

/**
 * Script text that creates the storage with those keys already in it. IndexedDB runs the upgrade before anybody else's
 * open of the database proceeds, so the workbench finds them at its very first start; a storage that exists stays as
 * its owner left it.
 */
export const agentSwitchScript = `(() => {
  const open = indexedDB.open('vscode-web-state-db-global');
  open.onupgradeneeded = () => {
    const items = open.result.createObjectStore('ItemTable');
    for (const [key, value] of Object.entries(${JSON.stringify(state)})) items.put(value, key);
  };
  open.onsuccess = () => open.result.close();
})();`;

const marker = 'mcp-switchboard: agent on';

/**
 * Adds the script to the page of our cached editor, for the addresses with \`agent=on\`: a person's own browser has a
 * storage that nothing but a page of that origin can write. Safe to repeat.
 * @param {string} server the folder \`lib/vscode\`
 */
export function addAgentSwitchToPage(server) {
  const file = join(server, 'out', 'vs', 'code', 'browser', 'workbench', 'workbench.html');
  const html = readFileSync(file, 'utf8');
  const original = html.replace(new RegExp(`\\n\\t\\t<script[^>]*>/\\* ${marker}[^]*?</script>`), '');
  const nonce = /<script(?<attributes>[^>]*)>/.exec(original)?.groups?.attributes ?? '';
  const condition = `if (new URLSearchParams(location.search).get('agent') === 'on')`;
  const script = `<script${nonce}>/* ${marker} */ ${condition} ${agentSwitchScript}</script>`;
  const changed = original.replace('<head>', () => `<head>\n\t\t${script}`);
  if (changed === html) return;
  // At one go: another window may be loading the page.
  const partial = `${file}.${process.pid}`;
  writeFileSync(partial, changed);
  renameSync(partial, file);
}
