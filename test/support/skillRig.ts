import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { loadSkillForModel } from '../../src/bridge/lmTools/loadSkill.ts';
import type { PinningMode } from '../../src/catalog/pinningModes.ts';
import { REFUNDS, SkillServer, skillText } from './skillServer.ts';
import { TestHost } from './testHost.ts';

export const FIELDS = { name: 'refunds', description: 'Processes refund requests by the policy of the company.' };

/** A host with a server of skills, named `shop`, and a model that loads them. */
export class SkillRig {
  readonly server = new SkillServer();
  readonly test: TestHost;

  constructor(toolPinning: PinningMode = 'warn') {
    this.test = new TestHost({ settings: { toolPinning } });
  }

  /** Starts both; the server lists its skills once, which approves them. */
  async start(): Promise<void> {
    await this.server.start();
    const mcpServers = { shop: { type: 'http', url: this.server.url } };
    writeFileSync(path.join(this.test.folder, '.mcp.json'), JSON.stringify({ mcpServers }));
    await this.test.host.start();
    await this.test.approveAll();
    await this.load({});
  }

  /** What the model gets. */
  async load(input: Readonly<Record<string, string>>): Promise<string> {
    const { signal } = new AbortController();
    const parts = await loadSkillForModel(this.test.host, { input, signal, surfaceContext: undefined });
    return parts.map((part) => (part.kind === 'text' ? part.text : part.mimeType)).join('\n');
  }

  /** The server serves another text of the skill, and says so. */
  change(body: string): void {
    this.server.offer(FIELDS, { [REFUNDS]: skillText(FIELDS, body) });
  }

  /** What is known of the server's list is out of date. */
  listAnew(): void {
    const session = this.test.host.pool.all[0]?.session;
    if (session) this.test.host.feed.skills.forget(session);
  }

  get serverId(): string {
    return this.test.host.views[0]?.definition.id ?? '';
  }

  /** The user reviews all that changed. @returns how many there were */
  acceptAll(): number {
    const changes = this.test.host.feed.openChangesOf(this.serverId);
    return changes.filter((change) => this.test.host.acceptChange(this.serverId, change)).length;
  }

  async stop(): Promise<void> {
    await this.test.stop();
    this.server.stop();
  }
}

/** Runs `body` with a rig whose server was prepared, and stops it. */
export async function withSkills(
  body: (rig: SkillRig) => Promise<void>,
  { pinning = 'warn', prepare }: { pinning?: PinningMode; prepare?: (server: SkillServer) => void } = {},
): Promise<void> {
  const rig = new SkillRig(pinning);
  prepare?.(rig.server);
  try {
    await rig.start();
    await body(rig);
  } finally {
    await rig.stop();
  }
}
