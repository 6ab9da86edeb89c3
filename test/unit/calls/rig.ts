import { strict as assert } from 'node:assert';
import { SwitchboardError, type ErrorCode } from '../../../src/base/errors.ts';
import { MemoryStore, type KeyValueStore } from '../../../src/base/keyValueStore.ts';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { silentLogger } from '../../../src/base/log.ts';
import { CallServices } from '../../../src/calls/callServices.ts';
import { DEFAULT_CALL_SETTINGS, type CallSettings } from '../../../src/calls/callSettings.ts';
import type { Question, Reply } from '../../../src/calls/callTypes.ts';
import { ArgumentValidator } from '../../../src/calls/arguments/argumentValidator.ts';
import { openCatalog } from '../../../src/catalog/catalogToolMaker.ts';
import { LookAlikeCache, type NamesInUse, type ToolWarning } from '../../../src/catalog/names/lookAlikeTools.ts';
import { underlyingOf, type CatalogTool } from '../../../src/catalog/catalogTool.ts';
import type {
  CallOptions,
  McpTool,
  Session,
  ToolAnnotations,
  ToolCallResult,
} from '../../../src/connection/connectionTypes.ts';
import { ManualClock } from '../connection/manualClock.ts';

export function tool(name: string, annotations: ToolAnnotations, more: Partial<McpTool> = {}): McpTool {
  return {
    name,
    annotations,
    inputSchema: {
      type: 'object',
      properties: { title: { type: 'string' }, token: { type: 'string' } },
      additionalProperties: false,
    },
    ...more,
  };
}

export interface RigOptions {
  readonly store?: KeyValueStore;
  readonly settings?: Partial<CallSettings>;
  readonly resultsFolder?: string;
}

const rigs: Rig[] = [];

/** Rigs last for one test; a benchmark has none. */
if ('afterEach' in globalThis) {
  afterEach(() => {
    for (const rig of rigs.splice(0)) rig.calls.dispose();
  });
}

/** The pipeline with a real catalog and validator; the user, the clock and the server are at hand. */
export class Rig {
  readonly catalog = openCatalog();
  readonly clock = new ManualClock();
  readonly known: NamesInUse = { tools: () => this.catalog.tools, servers: () => [] };
  readonly store: KeyValueStore;
  readonly ran: [string, JsonObject][] = [];
  readonly asked: Question[] = [];
  answer: Reply | undefined | ((question: Question) => Reply | undefined | Promise<Reply | undefined>) = 'deny';
  serve: (name: string, args: JsonObject, options: CallOptions) => Promise<Partial<ToolCallResult>> = async (name) => ({
    content: [{ type: 'text', text: `ran ${name}` }],
  });
  /** What the server makes of other requests than calls. */
  serveItem: (options: CallOptions) => Promise<JsonObject> = async () => ({});
  /** Tools that the catalog doesn't make by itself. */
  readonly shaped: CatalogTool[] = [];
  fingerprint = 'f1';
  account: string | undefined;
  /** Called while a request waits for its server. */
  whileConnecting = (): void => undefined;
  /** Tools that are others than were approved, by the server's own name. */
  readonly changed = new Set<string>();
  /** Tools that came after the server was approved, by the server's own name. */
  readonly fresh = new Set<string>();
  /** Servers of whose name the user's own files have another, by id. */
  readonly imitations = new Set<string>();
  settings: CallSettings;
  readonly calls: CallServices;

  /** What is pointed out of a tool's names. */
  lookAlikesOf(entry: CatalogTool): readonly ToolWarning[] {
    return new LookAlikeCache({ tools: () => this.catalog.tools, servers: () => [] }).of(entry);
  }

  constructor(options: RigOptions = {}) {
    rigs.push(this);
    this.store = options.store ?? new MemoryStore();
    this.settings = { ...DEFAULT_CALL_SETTINGS, ...options.settings };
    this.setTools();
    const validator = new ArgumentValidator();
    const session = {
      callTool: async (name: string, args: JsonObject, callOptions: CallOptions) => {
        this.ran.push([name, args]);
        return { content: [], isError: false, ...(await this.serve(name, args, callOptions)) };
      },
      request: async (method: string, params: JsonObject, _timeoutMs: number, requestOptions: CallOptions) => {
        this.ran.push([method, params]);
        return this.serveItem(requestOptions);
      },
    } as unknown as Session;
    this.calls = new CallServices(
      async () => ({
        find: (name) => this.shaped.find((each) => each.name === name) ?? this.catalog.find(name),
        absentOwner: () => undefined,
        closestNames: (name) => this.catalog.closestNames(name, 3),
        fingerprintOf: () => this.fingerprint,
        serverOf: () => ({ name: 'notes', configuredName: 'notes', part: 'notes' }),
        listsResource: async (_, uri) => uri.startsWith('notes:listed'),
        names: this.known,
        isNew: (entry) => this.fresh.has(underlyingOf(entry).name),
        acknowledge: (entry) => void this.fresh.delete(underlyingOf(entry).name),
        isNameOfOther: (_name, serverId) => this.imitations.has(serverId),
        isChanged: ({ tool: { name } }) => this.changed.has(name),
        session: async () => {
          this.whileConnecting();
          return session;
        },
        liveSession: async () => session,
        platform: process.platform,
        callTimeoutMs: () => 1_000,
        accountOf: () => this.account,
        validate: async (schema, args) => validator.validate(schema, args),
        clock: this.clock,
        asker: {
          ask: async (question) => {
            this.asked.push(question);
            return typeof this.answer === 'function' ? this.answer(question) : this.answer;
          },
        },
      }),
      this.clock,
      this.store,
      silentLogger,
      {
        settings: () => this.settings,
        ...(options.resultsFolder === undefined ? {} : { resultsFolder: options.resultsFolder }),
      },
    );
  }

  /** As a server's list_changed does: new objects each time. */
  setTools(deleteNote: ToolAnnotations = { destructiveHint: true }, more: Partial<McpTool> = {}): void {
    this.catalog.setServer('id', 'notes', [
      tool('list_notes', { readOnlyHint: true, openWorldHint: false }),
      tool('add_note', { readOnlyHint: false, destructiveHint: false }),
      tool('delete_note', deleteNote, more),
      tool('delete_all', { destructiveHint: true }),
      tool('fetch', { readOnlyHint: true, openWorldHint: true }),
      tool('unsaid', {}),
      tool('delete_quietly', { readOnlyHint: true, openWorldHint: false }),
    ]);
  }

  async call(name: string, args: JsonObject = {}, signal = new AbortController().signal): Promise<string> {
    const { parts } = await this.calls.broker.call({ name: `mcp__notes__${name}`, args, surface: 'test', signal });
    return parts.map((part) => (part.kind === 'text' ? part.text : part.mimeType)).join('\n');
  }

  async fails(code: ErrorCode, name: string, args: JsonObject = {}, signal?: AbortSignal): Promise<string> {
    try {
      await this.call(name, args, signal);
    } catch (error) {
      assert.ok(error instanceof SwitchboardError, String(error));
      assert.equal(error.code, code);
      return error.fullMessage;
    }
    throw new Error('did not fail');
  }
}
