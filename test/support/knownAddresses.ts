interface Addresses {
  /** Each as far as its host. */
  readonly all: readonly string[];
  readonly why: string;
}

const EXAMPLE = 'in a text that says what an address looks like';
const SCHEME = 'to know or to complete an address that was given';
const OWN = 'a port of this window, on this machine';

/** The files with addresses of the web in their texts. Only the registry's is ever asked. */
export const ADDRESSES: Readonly<Record<string, Addresses>> = {
  'bridge/gateway/editor/standIns.ts': {
    all: ['http://127.0.0.1:9'],
    why: 'stands where the editor wants an address; nothing is started by it',
  },
  'bridge/gateway/gateway.ts': { all: ['http://127.0.0.1:'], why: OWN },
  'bridge/gateway/outside/outsideGateway.ts': { all: ['http://127.0.0.1:'], why: OWN },
  'bridge/gateway/protocol/loopbackServer.ts': { all: ['http://'], why: OWN },
  'bridge/signIn/redirect/loopbackListener.ts': { all: ['http://', 'http://127.0.0.1'], why: OWN },
  'calls/tracing/otlpAddress.ts': { all: ['http://', 'https://'], why: EXAMPLE },
  'config/edit/ownHeader.ts': {
    all: ['https://localhost'],
    why: 'stands for an address where one must be, in an entry that is thrown away',
  },
  'config/paste/addCommands.ts': { all: ['https://'], why: EXAMPLE },
  'config/read/readEntry.ts': { all: ['https://'], why: EXAMPLE },
  'config/read/transport/readOAuth.ts': { all: ['https://'], why: EXAMPLE },
  'config/read/transport/readTls.ts': { all: ['https://'], why: EXAMPLE },
  'config/read/transport/readTransport.ts': { all: ['https://'], why: EXAMPLE },
  'config/read/transport/readUrl.ts': { all: ['http://', 'https://'], why: SCHEME },
  'config/registry/registryClient.ts': {
    all: ['https://', 'https://registry.modelcontextprotocol.io'],
    why: 'what `registry.url` is unless the user says otherwise',
  },
  'connection/auth/flow/clientDocument.ts': {
    all: ['http://127.0.0.1', 'http://localhost'],
    why: 'where a sign-in may end: this machine',
  },
  'connection/auth/flow/flowRedirect.ts': { all: ['http://localhost:'], why: 'where a sign-in ends: this machine' },
  'connection/auth/requests/addressRules.ts': { all: ['http://['], why: SCHEME },
  'connection/remote/networkFault.ts': { all: ['http://', 'ws://'], why: SCHEME },
  'connection/start/openSession.ts': { all: ['http://in-process.invalid'], why: 'a name of a server in this process' },
  'connection/start/prepareLaunch.ts': { all: ['https://example.com'], why: EXAMPLE },
  'connection/stdio/missingProgram.ts': {
    all: [
      'https://adoptium.net',
      'https://bun.sh',
      'https://cli.github.com',
      'https://docs.astral.sh',
      'https://docs.deno.com',
      'https://docs.docker.com',
      'https://dotnet.microsoft.com',
      'https://git-scm.com',
      'https://go.dev',
      'https://learn.microsoft.com',
      'https://nixos.org',
      'https://nodejs.org',
      'https://pipx.pypa.io',
      'https://pnpm.io',
      'https://podman.io',
      'https://www.php.net',
      'https://www.python.org',
      'https://www.ruby-lang.org',
      'https://www.rust-lang.org',
      'https://yarnpkg.com',
    ],
    why: 'in a text that says where a program is to be had',
  },
  'ui/add/addStart.ts': { all: ['https://'], why: EXAMPLE },
  'ui/add/pasteBox.ts': { all: ['https://example.com'], why: EXAMPLE },
  'ui/pages/front/elements.ts': { all: ['http://www.w3.org'], why: 'the name of the namespace of SVG' },
};
