// Signing in end to end: a host, a real authorization server, a real MCP server behind it, and a browser that follows links.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deferred, onAbort } from '../../src/base/async.ts';
import { SwitchboardError } from '../../src/base/errors.ts';
import { Emitter } from '../../src/base/event.ts';
import { type KeyValueStore, MemoryStore } from '../../src/base/keyValueStore.ts';
import { DEFAULT_CALL_SETTINGS } from '../../src/calls/callSettings.ts';
import type {
  ClientQuestion,
  GivenClient,
  Redirect,
  RedirectAnswer,
  RedirectRequest,
  SecretPort,
  SignInOutcome,
  SignInPorts,
  SignInQuestion,
} from '../../src/connection/auth/signInPorts.ts';
import { saveRecording } from '../../src/connection/recording/recordingWriter.ts';
import type { Account, SignInOptions } from '../../src/connection/auth/signIns.ts';
import type { HostPorts } from '../../src/host/hostPorts.ts';
import { type HttpFixture, json, scriptedHttp } from '../fixtures/servers/http.ts';
import { type Allowed, AuthServer, type AuthServerOptions } from './authServer.ts';
import type { SecretSweep } from './secretSweep.ts';
import { TestHost, type TestHostOptions } from './testHost.ts';

/** Secrets in memory, as all windows of an editor share them. */
export class SharedSecrets implements SecretPort {
  readonly values = new Map<string, string>();
  readonly #changed = new Emitter<string>();
  readonly onDidChange = this.#changed.event;

  async get(key: string): Promise<string | undefined> {
    return this.values.get(key);
  }

  async set(key: string, value: string): Promise<void> {
    this.values.set(key, value);
    this.#changed.fire(key);
  }

  async delete(key: string): Promise<void> {
    this.values.delete(key);
    this.#changed.fire(key);
  }
}

/** Secrets in a file, as processes share them. */
export class FileSecrets extends SharedSecrets {
  readonly #folder: string;

  constructor(folder: string) {
    super();
    this.#folder = folder;
  }

  override async get(key: string): Promise<string | undefined> {
    return readFile(this.#file(key), 'utf8').catch(() => undefined);
  }

  override async set(key: string, value: string): Promise<void> {
    const draft = `${this.#file(key)}.${process.pid}`;
    await writeFile(draft, value);
    await rename(draft, this.#file(key));
    await super.set(key, value);
  }

  override async delete(key: string): Promise<void> {
    await rm(this.#file(key), { force: true });
    await super.delete(key);
  }

  #file(key: string): string {
    return join(this.#folder, encodeURIComponent(key));
  }
}

/** The person and their browser. */
export class TestPerson implements Omit<SignInPorts, 'secrets'> {
  readonly questions: SignInQuestion[] = [];
  readonly clientQuestions: ClientQuestion[] = [];
  readonly redirects: RedirectRequest[] = [];
  readonly outcomes: SignInOutcome[] = [];
  /** Addresses that are listened on at this moment. */
  readonly listening = new Set<string>();
  /** Whether the person agrees to open the browser. */
  agrees = true;
  client: GivenClient | undefined;
  /** Goes through the pages in place of the usual browser. */
  browse: (url: string, redirectUri: string) => Promise<void> = (url) => followLinks(url);
  #current = '';

  readonly openRedirect = async (request: RedirectRequest): Promise<Redirect> => {
    this.redirects.push(request);
    const answered = deferred<RedirectAnswer>();
    answered.promise.catch(() => undefined);
    const server = createServer((incoming, response) => {
      const params = new URL(incoming.url ?? '/', 'http://localhost').searchParams;
      if (params.get('state') !== request.state) {
        response.writeHead(400, { connection: 'close' }).end('This answer belongs to another sign-in.');
        return;
      }
      answered.resolve({
        params,
        finish: (outcome) => {
          this.outcomes.push(outcome);
          response.setHeader('connection', 'close');
          response.end(outcome.ok ? `Signed in as ${outcome.account}.` : outcome.message);
        },
      });
    });
    const registered = request.registered && URL.parse(request.registered.uri);
    await new Promise<void>((resolve) => server.listen(Number(registered?.port ?? 0), '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const redirectUri = registered ? (request.registered?.uri ?? '') : `http://127.0.0.1:${port}/callback`;
    this.#current = redirectUri;
    this.listening.add(redirectUri);
    return {
      redirectUri,
      answer: async (signal) => {
        const abortion = onAbort(signal, () =>
          answered.reject(new SwitchboardError('call-cancelled', 'The sign-in was cancelled.')),
        );
        return answered.promise.finally(() => abortion.dispose());
      },
      dispose: () => {
        this.listening.delete(redirectUri);
        server.close();
        // The page that is being answered gets its end.
        setImmediate(() => server.closeIdleConnections());
      },
    };
  };

  readonly confirmAndOpen = async (question: SignInQuestion): Promise<boolean> => {
    this.questions.push(question);
    if (!this.agrees) return false;
    void this.browse(question.url, this.#current);
    return true;
  };

  portsWith(secrets: SecretPort): SignInPorts {
    const { openRedirect, confirmAndOpen, askClient } = this;
    return { secrets, openRedirect, confirmAndOpen, askClient };
  }

  readonly askClient = async (question: ClientQuestion): Promise<GivenClient | undefined> => {
    this.clientQuestions.push(question);
    return this.client;
  };
}

/**
 * Follows redirects with cookies, as a browser does, to the end.
 * @param rewrite changes where a redirect leads; `undefined`: it ends there
 */
export async function followLinks(url: string, rewrite: (url: URL) => URL | undefined = (same) => same): Promise<void> {
  const cookies = new Map<string, string>();
  for (let next: string | undefined = url, hops = 0; next !== undefined && hops < 20; hops++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response: Response = await fetch(next, { redirect: 'manual', headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const page = await response.text();
    const location: string | null = response.headers.get('location');
    // What a person would see, and the test would wait for ever.
    if (location === null && response.status >= 400)
      process.stderr.write(
        `${next}: HTTP ${response.status} ${page.replaceAll(/<style[\s\S]*?<\/style>|<[^>]*>|\s+/g, ' ')}\n`,
      );
    if (location === null) return;
    next = rewrite(new URL(location, next))?.href;
  }
}

export interface ProtectedOptions {
  /** In the metadata. */
  readonly scopes?: readonly string[];
  /** In the challenge. */
  readonly challengeScope?: string;
  /** What a request needs. */
  needs?(method: string | undefined, tool: string | undefined): string | undefined;
  /** What needs no token, where none comes. */
  isPublic?(method: string | undefined, tool: string | undefined): boolean;
  /** Answers in its place; `true`: it has. */
  answer?(request: IncomingMessage, response: ServerResponse): boolean;
  /** Its metadata is at the root of its origin, where nothing refers to it. */
  readonly rootMetadataAlone?: boolean;
  readonly hasNoMetadata?: boolean;
  /** Its refusals don't say how to be authorized. */
  readonly saysNothing?: boolean;
  /** Members of the protected resource's metadata. */
  metadata?(url: string): object;
}

/** An MCP server that only answers those whom an authorization server has given a token for it. */
export class ProtectedServer {
  readonly #fixture: HttpFixture;
  /** Who made each request with a token. */
  readonly accounts: string[] = [];
  /** Every `Authorization` that came. */
  readonly authorizations: string[] = [];
  /** Every proof of a key (RFC 9449) that came. */
  readonly proofs: string[] = [];
  refusals = 0;
  /** It asks nobody for a token. */
  isOpen = false;
  /** What its metadata says, in place of the one that checks. */
  authorizationServer: string | undefined;
  /** It sends its clients there. */
  redirectTo: string | undefined;

  private constructor(fixture: HttpFixture) {
    this.#fixture = fixture;
  }

  static async start(auth: AuthServer, options: ProtectedOptions = {}): Promise<ProtectedServer> {
    const self: ProtectedServer = new ProtectedServer(
      await scriptedHttp(async (request, response, body) => {
        const path = request.url?.split('?')[0] ?? '';
        const origin = new URL(self.url).origin;
        const place = options.rootMetadataAlone ? '' : '/mcp';
        if (path === `/.well-known/oauth-protected-resource${place}` && !options.hasNoMetadata) {
          json(response, 200, {
            resource: self.url,
            authorization_servers: [self.authorizationServer ?? auth.issuer],
            ...(options.scopes ? { scopes_supported: options.scopes } : {}),
            ...options.metadata?.(self.url),
          });
          return true;
        }
        if (path !== '/mcp') {
          response.writeHead(404).end();
          return true;
        }
        if (self.redirectTo !== undefined) {
          response.writeHead(307, { location: self.redirectTo }).end();
          return true;
        }
        const { authorization } = request.headers;
        if (authorization !== undefined) self.authorizations.push(authorization);
        const proof = request.headers['dpop'];
        if (typeof proof === 'string') self.proofs.push(proof);
        if (options.answer?.(request, response)) return true;
        const { method, params } = (body ?? {}) as { method?: string; params?: { name?: string } };
        if (self.isOpen || (authorization === undefined && options.isPublic?.(method, params?.name))) return false;
        const allowed: Allowed | undefined = await auth.check(
          authorization,
          options.hasNoMetadata ? undefined : self.url,
        );
        const refers = !options.rootMetadataAlone && !options.hasNoMetadata;
        const metadata = refers
          ? `resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`
          : 'realm="mcp"';
        const scope = options.challengeScope === undefined ? '' : `, scope="${options.challengeScope}"`;
        if (!allowed) {
          self.refusals += 1;
          const challenge = { 'www-authenticate': `Bearer ${metadata}${scope}` };
          json(response, 401, { error: 'invalid_token' }, options.saysNothing ? {} : challenge);
          return true;
        }
        self.accounts.push(allowed.account);
        const needed = options.needs?.(method, params?.name);
        if (needed !== undefined && !allowed.scopes.includes(needed)) {
          const challenge = `Bearer error="insufficient_scope", scope="${needed}", ${metadata}`;
          json(response, 403, { error: 'insufficient_scope' }, { 'www-authenticate': challenge });
          return true;
        }
        return false;
      }),
    );
    return self;
  }

  get url(): string {
    return this.#fixture.url;
  }

  get seen(): readonly string[] {
    return this.#fixture.seen;
  }

  /** Cuts all connections, and begins anew at the same address. */
  async restart(): Promise<void> {
    await this.#fixture.close();
    await this.#fixture.listen();
  }

  close(): Promise<void> {
    return this.#fixture.close();
  }
}

export interface SignInRigOptions extends Omit<TestHostOptions, 'ports'> {
  readonly ports?: Partial<HostPorts>;
  readonly secrets?: SharedSecrets;
  readonly person?: TestPerson;
  readonly stateDir?: string;
  readonly store?: KeyValueStore;
  /** `false`: nobody can sign in in this window. */
  readonly signsIn?: boolean;
  /** Members of the server's entry beside its URL. */
  readonly entry?: object;
}

/** What a workspace keeps, all of which can be looked at. */
class SeenStore extends MemoryStore {
  readonly values = new Map<string, unknown>();

  override async set(key: string, value: unknown): Promise<void> {
    this.values.set(key, value);
    await super.set(key, value);
  }
}

/** One window: a host with one server, `server`. It keeps all that can be kept of calls. */
export class SignInRig {
  readonly test: TestHost;
  readonly person: TestPerson;
  readonly secrets: SharedSecrets;
  readonly stateDir: string;
  /** Every line of every log. */
  readonly log: string[] = [];
  /** Everything that a call or a sign-in failed with. */
  readonly errors: unknown[] = [];
  readonly #ownsState: boolean;

  constructor(options: SignInRigOptions = {}) {
    this.person = options.person ?? new TestPerson();
    this.secrets = options.secrets ?? new SharedSecrets();
    this.#ownsState = options.stateDir === undefined;
    this.stateDir = options.stateDir ?? realpathSync(mkdtempSync(join(tmpdir(), 'switchboard-state-')));
    const logger: HostPorts['log'] = { log: (_level, message) => void this.log.push(message) };
    const auditFile = join(this.stateDir, 'audit.jsonl');
    const calls = { ...DEFAULT_CALL_SETTINGS, historyContent: true, auditFile };
    this.test = new TestHost({
      ...options,
      store: options.store ?? new SeenStore(),
      ports: {
        stateDir: this.stateDir,
        calls: { settings: () => calls },
        log: logger,
        serverLog: () => logger,
        ...(options.signsIn === false ? {} : { signIn: async () => this.person.portsWith(this.secrets) }),
        ...options.ports,
      },
    });
    const { signIns, broker } = this.test.host;
    for (const name of ['signIn', 'signOut', 'switchAccount', 'resetRegistration', 'accountsOf'] as const)
      this.#noteErrorsOf(signIns, name);
    this.#noteErrorsOf(broker, 'call');
  }

  #noteErrorsOf<T extends object>(of: T, name: keyof T & string): void {
    const original = (of[name] as (...args: unknown[]) => Promise<unknown>).bind(of);
    const noted = (...args: unknown[]): Promise<unknown> =>
      original(...args).catch((error: unknown) => {
        this.errors.push(error);
        throw error;
      });
    Object.defineProperty(of, name, { value: noted });
  }

  /** Looks for secrets in everything that this window shows, logs, keeps outside of the secrets, and throws. */
  async sweep(sweep: SecretSweep): Promise<void> {
    const { host, questions, folder, store } = this.test;
    const accounts = this.id === '' ? [] : await host.signIns.accountsOf(this.id).catch(String);
    sweep.look('the log', this.log.join('\n'));
    sweep.look('an error', this.errors);
    // What the definition says is what the test wrote there.
    sweep.look(
      'the views',
      host.views.map(({ definition: { status }, ...view }) => ({ ...view, status })),
    );
    sweep.look('the tools', host.catalog.tools);
    sweep.look('the accounts', [accounts, host.signIns.view(this.id)]);
    sweep.look('the history', host.calls.history.entries);
    sweep.look('failed calls', host.calls.failedCalls);
    sweep.look('a question', [questions, this.person.questions, this.person.clientQuestions, this.person.outcomes]);
    for (const [key, value] of store instanceof SeenStore ? store.values : [])
      sweep.look(`the workspace’s state: ${key}`, value);
    const recorder = await host.recorder();
    const recording = join(this.stateDir, 'recording.jsonl');
    await saveRecording(recording, recorder.recent(), {
      by: { name: 'test', version: '0' },
      platform: process.platform,
      nameOf: (id) => id,
      mask: (text) => host.mask(recorder.mask(text)),
    });
    await (await host.calls.audit)?.settled();
    sweep.lookInFiles('the state', this.stateDir);
    // What is written there by the test.
    sweep.lookInFiles('the workspace', folder, (path) => !path.endsWith('.mcp.json'));
  }

  static async open(url: string, options: SignInRigOptions = {}): Promise<SignInRig> {
    const rig = new SignInRig(options);
    const server = { type: 'http', url, ...options.entry };
    writeFileSync(join(rig.test.folder, '.mcp.json'), JSON.stringify({ mcpServers: { server } }));
    await rig.test.host.start();
    await rig.approve();
    return rig;
  }

  async approve(): Promise<void> {
    const { host } = this.test;
    const waiting = host.views.filter(({ definition }) => definition.status.kind === 'needs-approval');
    await host.servers.approve(waiting.map(({ definition }) => definition.id));
    await this.settled();
  }

  /** Resolves when the server is connected, or waits for a person. */
  async settled(): Promise<void> {
    await this.test.until(() => ['connected', 'needs-auth', 'failed'].includes(this.state));
  }

  get id(): string {
    return this.test.host.views[0]?.definition.id ?? '';
  }

  get state(): string {
    return this.test.host.pool.get(this.id)?.state.kind ?? 'absent';
  }

  get toolName(): string {
    return this.test.host.catalog.tools.find(({ tool }) => tool.name === 'echo')?.name ?? 'none';
  }

  async signIn(options?: SignInOptions): Promise<Account> {
    const account = await this.test.host.signIns.signIn(this.id, options);
    await this.settled();
    return account;
  }

  /** What another window of the same editor on another workspace shares with this one. */
  get shared(): Pick<SignInRigOptions, 'secrets' | 'stateDir' | 'folder'> {
    return { secrets: this.secrets, stateDir: this.stateDir, folder: this.test.folder };
  }

  /** What the same window has after it is opened again. */
  get kept(): SignInRigOptions {
    return { ...this.shared, store: this.test.store };
  }

  call(): Promise<string> {
    this.test.answer = 'session';
    return this.test.call(this.toolName, { text: 'hello' });
  }

  async close(): Promise<void> {
    await this.test.stop();
    if (this.#ownsState) rmSync(this.stateDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** An authorization server, a server behind it, and the windows that are opened on it; all of it ends with the test. */
export class SignInWorld {
  readonly auth: AuthServer;
  readonly server: ProtectedServer;
  readonly #rigs: SignInRig[] = [];

  constructor(auth: AuthServer, server: ProtectedServer) {
    this.auth = auth;
    this.server = server;
  }

  /** Opens a window. */
  async open(options?: SignInRigOptions): Promise<SignInRig> {
    const rig = await SignInRig.open(this.server.url, options);
    this.#rigs.push(rig);
    return rig;
  }

  /** Opens a window, signs in as `user`, and is connected. */
  async signedIn(options?: SignInRigOptions): Promise<SignInRig> {
    const rig = await this.open(options);
    await rig.signIn();
    return rig;
  }

  /** @param printed what was printed since it was made */
  async close(printed: string): Promise<void> {
    const { sweep } = this.auth;
    for (const rig of this.#rigs) await rig.sweep(sweep);
    sweep.look('what was printed', printed);
    sweep.lookAtProcesses();
    await this.#end();
    sweep.assertClean();
  }

  async #end(): Promise<void> {
    for (const rig of this.#rigs) await rig.close();
    await this.server.close();
    await this.auth.close();
  }
}

/** Runs each test's worlds, and looks for their secrets where there may be none when they end. */
export function useSignInWorlds(): (options?: {
  auth?: AuthServerOptions;
  server?: ProtectedOptions;
}) => Promise<SignInWorld> {
  let worlds: SignInWorld[] = [];
  let printed = '';
  const streams = [process.stdout, process.stderr];
  const writes = streams.map((stream) => stream.write.bind(stream));
  beforeEach(() => {
    printed = '';
    for (const [index, stream] of streams.entries())
      stream.write = ((text: unknown, ...rest: never[]) => {
        printed += String(text);
        return writes[index]?.(text as never, ...rest);
      }) as typeof stream.write;
  });
  afterEach(async () => {
    for (const [index, stream] of streams.entries()) {
      const write = writes[index];
      if (write) stream.write = write;
    }
    const ended = worlds;
    worlds = [];
    const results = await Promise.allSettled(ended.map((world) => world.close(printed)));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  });
  return async (options = {}) => {
    const auth = await AuthServer.start(options.auth);
    const world = new SignInWorld(auth, await ProtectedServer.start(auth, options.server));
    worlds.push(world);
    return world;
  };
}
