import { createHash } from 'node:crypto';
import { RpcServer, type Members } from './rpcServer.ts';

/** `SKILL.md` with this frontmatter, a line each, and this text. */
export const skillText = (fields: Readonly<Record<string, string>>, body: string): string =>
  `---\n${Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')}\n---\n${body}`;

export const REFUNDS = 'skill://acme/refunds/SKILL.md';
export const EMAIL = 'skill://acme/refunds/templates/email.md';

const stated = (uri: string, content: string): Members => ({
  uri,
  digest: `sha256:${createHash('sha256').update(content).digest('hex')}`,
  size: Buffer.byteLength(content),
});

/** A skill's entry, by the texts of its files, the first of which is its `SKILL.md`. */
export function entryOf(frontmatter: Members, files: Readonly<Record<string, string>>): Members {
  const resources = Object.entries(files).map(([uri, content]) => stated(uri, content));
  return { uri: Object.keys(files)[0], frontmatter, resources };
}

/**
 * A server of skills; at `/mcp` in the form of
 * 2025-11-25. It begins with one skill of two files.
 */
export class SkillServer extends RpcServer {
  /** Every file, by its address: what reading gives. */
  readonly files = new Map<string, string>();
  /** What `skills/list` gives. */
  entries: unknown[] = [];
  /** What `skills/get` gives beside those. */
  readonly unlisted: Members[] = [];
  /** Each request: its method and parameters. */
  readonly asked: { readonly method: string; readonly params: Members }[] = [];
  capabilities: Members = { resources: {}, tools: {}, extensions: { 'io.modelcontextprotocol/skills': {} } };
  /** How many entries a page has. */
  pageSize = 100;
  /** How long it says that its list holds, in milliseconds; absent: it says nothing of it. */
  ttlMs: number | undefined;

  constructor() {
    super(({ method, params }) => {
      this.asked.push({ method, params });
      return this.#answer(method, params);
    });
    const fields = { name: 'refunds', description: 'Processes refund requests by the policy of the company.' };
    this.offer(fields, {
      [REFUNDS]: skillText(fields, '# Refunds\n\nUse templates/email.md for the answer.\n'),
      [EMAIL]: 'Dear customer,\n',
    });
  }

  /** Adds a skill, or puts another in the place of one with this address. */
  offer(fields: Readonly<Record<string, string>>, files: Readonly<Record<string, string>>): void {
    const entry = entryOf(fields, files);
    this.entries = [...this.entries.filter((each) => (each as Members)['uri'] !== entry['uri']), entry];
    for (const [uri, content] of Object.entries(files)) this.files.set(uri, content);
  }

  get url(): string {
    return `${this.origin}/mcp`;
  }

  /** The addresses that were read. */
  get read(): readonly unknown[] {
    return this.asked.filter(({ method }) => method === 'resources/read').map(({ params }) => params['uri']);
  }

  #answer(method: string, { uri, cursor = '0' }: Members): Members {
    const none = { error: { code: -32602, message: 'Not found' } };
    switch (method) {
      case 'initialize':
        return {
          result: {
            protocolVersion: '2025-11-25',
            capabilities: this.capabilities,
            serverInfo: { name: 'skills', version: '1' },
          },
        };
      case 'ping':
        return { result: {} };
      case 'tools/list':
        return { result: { tools: [] } };
      case 'resources/list':
        // As servers of the SDK do.
        return { result: { resources: [...this.files.keys()].map((address) => ({ uri: address, name: address })) } };
      case 'resources/templates/list':
        return { result: { resourceTemplates: [] } };
      case 'skills/list': {
        const start = Number(cursor);
        const end = start + this.pageSize;
        const more = end < this.entries.length ? { nextCursor: String(end) } : {};
        const { ttlMs } = this;
        const holds = ttlMs === undefined ? {} : { ttlMs };
        return { result: { skills: this.entries.slice(start, end), ...more, ...holds } };
      }
      case 'skills/get': {
        const skill = [...this.entries, ...this.unlisted].find((each) => (each as Members)['uri'] === uri);
        return skill ? { result: { skill } } : none;
      }
      case 'resources/read': {
        const text = this.files.get(String(uri));
        return text === undefined ? none : { result: { contents: [{ uri, mimeType: 'text/markdown', text }] } };
      }
      default:
        return { error: { code: -32601, message: 'Method not found' } };
    }
  }
}
