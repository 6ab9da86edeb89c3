import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../../../scripts/lib/paths.mjs';
import type { ConfigSource, Scope } from '../../../src/config/configTypes.ts';
import type { HostPorts } from '../../../src/host/hostPorts.ts';
import { NodeConfigPorts } from '../../support/nodeConfigPorts.ts';
import { TestHost } from '../../support/testHost.ts';

/** The core with one real server, `counting`, that writes down each call it gets. */
export interface CountingHost {
  readonly rig: TestHost;
  /** The names of the tools called, as the server itself counts. */
  readonly counted: () => readonly string[];
}

/** Runs `body` with it. `more` is put into the server's entry, which stands in a file of `scope`. */
export async function withCountingHost(
  body: (host: CountingHost) => Promise<void>,
  { more = {}, scope = 'project', ports = {} }: { more?: object; scope?: Scope; ports?: Partial<HostPorts> } = {},
): Promise<void> {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'switchboard-')));
  const log = path.join(folder, 'calls.txt');
  const file = path.join(folder, '.mcp.json');
  const args = [path.join(root, 'test/fixtures/servers/counting.ts'), log];
  writeFileSync(file, JSON.stringify({ mcpServers: { counting: { command: process.execPath, args, ...more } } }));
  const source: ConfigSource = { id: `${scope}:${file}`, scope, format: 'mcp', label: file, file };
  const rig = new TestHost({ folder, ports: { config: new NodeConfigPorts([source]), ...ports } });
  try {
    await rig.host.start();
    await rig.approveAll();
    await body({ rig, counted: () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []) });
  } finally {
    await rig.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
