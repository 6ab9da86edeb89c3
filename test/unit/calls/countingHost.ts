import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../../../scripts/lib/paths.mjs';
import type { ConfigSource, Scope } from '../../../src/config/configTypes.ts';
import type { HostPorts, HostSettings } from '../../../src/host/hostPorts.ts';
import { NodeConfigPorts } from '../../support/nodeConfigPorts.ts';
import { TestHost } from '../../support/testHost.ts';

/** The core with one real server, `counting`, that writes down each call it gets. */
export interface CountingHost {
  readonly rig: TestHost;
  /** The names of the tools called, as the server itself counts. */
  readonly counted: () => readonly string[];
}

interface CountingOptions {
  /** Put into the server's entry. */
  readonly more?: object;
  /** Of the file that the entry stands in. */
  readonly scope?: Scope;
  readonly ports?: Partial<HostPorts>;
  readonly settings?: Partial<HostSettings>;
  /** The server exits after each call that it has written down. */
  readonly dies?: boolean;
}

/** Runs `body` with it. */
export async function withCountingHost(
  body: (host: CountingHost) => Promise<void>,
  { more = {}, scope = 'project', ports = {}, settings = {}, dies = false }: CountingOptions = {},
): Promise<void> {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'switchboard-')));
  const log = path.join(folder, 'calls.txt');
  const file = path.join(folder, '.mcp.json');
  const args = [path.join(root, 'test/fixtures/servers/counting.ts'), log, ...(dies ? ['dies'] : [])];
  writeFileSync(file, JSON.stringify({ mcpServers: { counting: { command: process.execPath, args, ...more } } }));
  const source: ConfigSource = { id: `${scope}:${file}`, scope, format: 'mcp', label: file, file };
  const rig = new TestHost({ folder, settings, ports: { config: new NodeConfigPorts([source]), ...ports } });
  try {
    await rig.host.start();
    await rig.approveAll();
    await body({ rig, counted: () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []) });
  } finally {
    await rig.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
