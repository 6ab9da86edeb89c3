import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { listAllPrompts, listAllResources, listAllTemplates } from '../../src/bridge/resources/listOffered.ts';
import { DEFAULT_CALL_SETTINGS } from '../../src/calls/callSettings.ts';
import { TestHost } from '../../test/support/testHost.ts';
import { wholeMessage, within, type Definition, type ListName, type Peer, type Said, type Session } from './peer.ts';

const NAME = 'fake';

/** This project's core, as the extension runs it, with a user who says yes. */
export function ours(): Peer {
  return { name: 'ours', open: (definition) => OurSession.open(definition), close: async () => undefined };
}

class OurSession implements Session {
  readonly #rig: TestHost;
  readonly #folder: string;

  private constructor(rig: TestHost, folder: string) {
    this.#rig = rig;
    this.#folder = folder;
  }

  static async open(definition: Definition): Promise<OurSession> {
    const folder = mkdtempSync(path.join(tmpdir(), 'switchboard-peers-'));
    writeFileSync(path.join(folder, '.mcp.json'), JSON.stringify({ mcpServers: { [NAME]: definition } }));
    const rig = new TestHost({
      folder,
      ports: {
        // Declared as in the editor.
        requests: { elicit: async () => ({ action: 'decline' }) },
        calls: { settings: () => DEFAULT_CALL_SETTINGS, resultsFolder: path.join(folder, 'results') },
      },
    });
    rig.answer = 'once';
    const session = new OurSession(rig, folder);
    await rig.host.start();
    const waiting = rig.host.views.filter(({ definition: { status } }) => status.kind === 'needs-approval');
    await rig.host.servers.approve(waiting.map(({ definition: { id } }) => id));
    await session.#settle();
    const told = session.#failure();
    if (told === undefined) return session;
    await session.close();
    throw new Error(told);
  }

  async #settle(): Promise<void> {
    const [server] = this.#rig.host.pool.all;
    if (!server) return;
    await this.#rig.until(() => !['disconnected', 'connecting'].includes(server.state.kind));
  }

  /** What the user is told; `undefined` while all is well. */
  #failure(): string | undefined {
    const [server] = this.#rig.host.pool.all;
    if (!server) return JSON.stringify(this.#rig.host.views[0]?.definition.status);
    if (server.state.kind === 'connected') return undefined;
    const failure = 'failure' in server.state ? server.state.failure : undefined;
    return [server.state.kind, failure?.message, failure?.remedy].join(' ');
  }

  tools(): Promise<readonly string[]> {
    return Promise.resolve(this.#rig.host.catalog.tools.map(({ tool }) => tool.name));
  }

  async call(tool: string): Promise<Said> {
    const name = this.#rig.host.catalog.tools.find((each) => each.tool.name === tool)?.name ?? tool;
    try {
      const calling = this.#rig.host.broker.call({
        name,
        args: {},
        surface: 'test',
        signal: new AbortController().signal,
      });
      const { parts } = await within(Promise.resolve(calling), 'the call');
      const texts = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []));
      const images = parts.flatMap((part) =>
        part.kind === 'text'
          ? []
          : [{ mimeType: part.mimeType, hex: Buffer.from(part.data.slice(0, 4)).toString('hex') }],
      );
      return { text: texts.join('\n'), images };
    } catch (error) {
      const whole = (error as { fullMessage?: unknown }).fullMessage;
      return { text: '', images: [], error: typeof whole === 'string' ? whole : wholeMessage(error) };
    }
  }

  async list(what: ListName): Promise<readonly string[]> {
    const { host } = this.#rig;
    const { signal } = new AbortController();
    if (what === 'resources') return (await listAllResources(host, signal)).items.map(({ uri }) => uri);
    if (what === 'templates') return (await listAllTemplates(host, signal)).items.map(({ uriTemplate }) => uriTemplate);
    return (await listAllPrompts(host, signal)).items.map(({ name }) => name);
  }

  async ping(): Promise<void> {
    await this.#rig.host.pool.all[0]?.session?.check(1_500);
  }

  async restart(): Promise<void> {
    const [server] = this.#rig.host.pool.all;
    if (server) await this.#rig.host.pool.restart(server.id);
    await this.#settle();
  }

  async close(): Promise<void> {
    await this.#rig.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
