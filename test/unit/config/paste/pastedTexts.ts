/** Texts as the pages of servers have them, and what has to be read. */
export interface PastedText {
  readonly title: string;
  readonly text: string;
  readonly servers: readonly string[];
  readonly platform?: NodeJS.Platform;
  /** The secrets in it, by their inputs. */
  readonly answers?: Readonly<Record<string, string>>;
}

const KEY = 'sk-proj-4f9a8b7c6d5e4f3a2b1c';
const GHP = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a';
const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64');
const percent = (value: object): string => encodeURIComponent(JSON.stringify(value));

/** Its line ends and its indentation mean something, so that it can't be read from a box for one line. */
export const PASTED_YAML: readonly PastedText[] = [
  {
    title: 'the fields of a form',
    text: 'Name: files\nType: command\nCommand: npx\nArgs: -y server-files /tmp\n',
    servers: ['files = npx -y server-files /tmp'],
  },
  {
    title: 'LibreChat’s YAML, with comments and quoted strings',
    text: '# tools\nversion: 1.2.8\nmcpServers:\n  filesystem:\n    # type: stdio\n    command: npx\n    args:\n      - -y\n      - "@modelcontextprotocol/server-filesystem"\n      - /home/user/LibreChat/\n    timeout: 60000\n  obsidian:\n    type: streamable-http\n    url: "http://localhost:8000/mcp"\n',
    servers: [
      'filesystem = npx -y @modelcontextprotocol/server-filesystem /home/user/LibreChat/',
      'obsidian = http http://localhost:8000/mcp',
    ],
  },
  {
    title: 'Continue’s YAML, a list with names',
    text: 'name: SQLite MCP\nversion: 0.0.1\nschema: v1\nmcpServers:\n  - name: SQLite\n    command: npx\n    args:\n      - "-y"\n      - "mcp-sqlite"\n      - "/path/to/your/database.db"\n',
    servers: ['SQLite = npx -y mcp-sqlite ${input:sqlite-database-db}'],
  },
  {
    title: 'Goose’s YAML: `cmd`, `envs`, `env_keys`, `uri`, seconds',
    text: 'extensions:\n  github:\n    name: GitHub\n    type: stdio\n    enabled: true\n    cmd: npx\n    args: [-y, "@modelcontextprotocol/server-github"]\n    envs: { MODE: fast }\n    env_keys: [GITHUB_HOST]\n    timeout: 300\n  remote:\n    type: streamable_http\n    uri: https://api.example.com/mcp\n',
    servers: [
      'github = npx -y @modelcontextprotocol/server-github {GITHUB_HOST=${GITHUB_HOST}, MODE=fast}',
      'remote = http https://api.example.com/mcp',
    ],
  },
  {
    title: 'fast-agent’s YAML: servers below `mcp`',
    text: 'mcp:\n  servers:\n    fetch:\n      command: "uvx"\n      args: ["mcp-server-fetch"]\n',
    servers: ['fetch = uvx mcp-server-fetch'],
  },
  {
    title: 'YAML: what isn’t quoted keeps its digits, and anchors stand for what they name',
    text: '---\nmcp_servers:\n  a: &base\n    command: run\n    args: [--port, 8080, --version, 1.10, --flag, true, 0123]\n    env:\n      PORT: 08080\n      DEBUG: yes\n      OPT: ~/x\n  b: *base\n',
    servers: [
      'a = run --port 8080 --version 1.10 --flag true 0123 {PORT=08080, DEBUG=yes, OPT=~/x}',
      'b = run --port 8080 --version 1.10 --flag true 0123 {PORT=08080, DEBUG=yes, OPT=~/x}',
    ],
  },
  {
    title: 'YAML: one entry by its name, in quotes, in a fence',
    text: '```yaml\n"my server":\n  command: npx\n  args:\n    - some-mcp\n```',
    servers: ['my server = npx some-mcp'],
  },
  {
    title: 'YAML: a single entry, with a secret',
    text: `name: linear\ncommand: npx\nargs:\n  - -y\n  - linear-mcp\nenv:\n  LINEAR_API_KEY: ${KEY}\n`,
    servers: ['linear = npx -y linear-mcp {LINEAR_API_KEY=${input:linear-api-key}}'],
    answers: { 'linear-api-key': KEY },
  },
];

const data: readonly PastedText[] = [
  {
    title: 'Claude Desktop’s file',
    text: '{\n  "mcpServers": {\n    "memory": {\n      "command": "npx",\n      "args": ["-y", "@modelcontextprotocol/server-memory"]\n    }\n  }\n}',
    servers: ['memory = npx -y @modelcontextprotocol/server-memory'],
  },
  {
    title: 'VS Code’s file, with its inputs',
    text: '{\n  "inputs": [{ "type": "promptString", "id": "gh", "description": "Token", "password": true }],\n  "servers": {\n    "github": { "type": "stdio", "command": "docker", "args": ["run", "-i", "--rm", "-e", "GITHUB_TOKEN", "ghcr.io/github/github-mcp-server"], "env": { "GITHUB_TOKEN": "${input:gh}" } }\n  }\n}',
    servers: [
      'github = docker run -i --rm -e GITHUB_TOKEN ghcr.io/github/github-mcp-server {GITHUB_TOKEN=${input:gh}}',
    ],
  },
  {
    title: 'a server.json of the registry, with packages and an address',
    text: JSON.stringify({
      $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
      name: 'io.github.acme/weather',
      version: '1.2.0',
      remotes: [
        {
          type: 'streamable-http',
          url: 'https://{region}.acme.example/mcp',
          variables: { region: { default: 'eu' } },
          headers: [
            { name: 'Authorization', value: 'Bearer {token}', variables: { token: { isSecret: true } } },
            { name: 'X-Optional' },
          ],
        },
        { type: 'sse', url: 'https://acme.example/sse' },
      ],
      packages: [
        {
          registryType: 'npm',
          identifier: '@acme/weather',
          version: '1.2.0',
          transport: { type: 'stdio' },
          packageArguments: [
            { type: 'named', name: '--units', default: 'metric' },
            { type: 'positional', valueHint: 'city', isRequired: true },
          ],
          environmentVariables: [
            { name: 'WEATHER_KEY', isRequired: true, isSecret: true },
            { name: 'LOG', default: 'info' },
            { name: 'UNSET' },
          ],
        },
        { registryType: 'pypi', identifier: 'acme-weather', version: '1.2.0' },
        {
          registryType: 'oci',
          identifier: 'ghcr.io/acme/weather:1.2.0',
          environmentVariables: [{ name: 'A', value: 'b' }],
        },
        { registryType: 'mcpb', identifier: 'https://x/y.mcpb' },
      ],
    }),
    servers: [
      'weather = http https://eu.acme.example/mcp [Authorization: Bearer ${input:weather-token}]',
      'weather-2 = sse https://acme.example/sse',
      'weather-3 = npx -y @acme/weather@1.2.0 --units metric ${input:weather-city} {WEATHER_KEY=${input:weather-key}, LOG=info}',
      'weather-4 = uvx acme-weather==1.2.0',
      'weather-5 = docker run -i --rm -e A ghcr.io/acme/weather:1.2.0 {A=b}',
    ],
  },
  {
    title: 'an answer of the registry, in its older spelling',
    text: JSON.stringify({
      server: {
        name: 'com.acme/notes',
        packages: [
          { registry_type: 'npm', identifier: 'acme-notes', runtime_arguments: [{ type: 'named', name: '-y' }] },
        ],
      },
      _meta: {},
    }),
    servers: ['notes = npx -y acme-notes'],
  },
  {
    title: 'VS Code’s settings',
    text: '{ "mcp": { "inputs": [], "servers": { "fetch": { "command": "uvx", "args": ["mcp-server-fetch"] } } } }',
    servers: ['fetch = uvx mcp-server-fetch'],
  },
  {
    title: 'a setting with a dot in its name',
    text: '"mcp.servers": { "fetch": { "command": "uvx", "args": ["mcp-server-fetch"] } }',
    servers: ['fetch = uvx mcp-server-fetch'],
  },
  {
    title: 'a part that begins with the section',
    text: '"mcpServers": {\n  "time": { "command": "uvx", "args": ["mcp-server-time", "--local-timezone=Europe/Zurich"] }\n}',
    servers: ['time = uvx mcp-server-time --local-timezone=Europe/Zurich'],
  },
  {
    title: 'a part that begins with the server’s name, with a comma behind',
    text: '"playwright": {\n  "command": "npx",\n  "args": ["@playwright/mcp@latest"]\n},',
    servers: ['playwright = npx @playwright/mcp@latest'],
  },
  {
    title: 'a map of entries',
    text: '{ "a": { "command": "a" }, "b": { "url": "https://b.example/mcp" } }',
    servers: ['a = a', 'b = url https://b.example/mcp'],
  },
  {
    title: 'an entry alone',
    text: '{ "command": "npx", "args": ["-y", "@upstash/context7-mcp"] }',
    servers: ['context7 = npx -y @upstash/context7-mcp'],
  },
  {
    title: 'an entry alone, with its name',
    text: '{"name":"fs","command":"npx","args":["-y","@modelcontextprotocol/server-filesystem","."]}',
    servers: ['fs = npx -y @modelcontextprotocol/server-filesystem .'],
  },
  {
    title: 'an entry with an address',
    text: '{ "type": "sse", "url": "https://mcp.linear.app/sse" }',
    servers: ['linear = sse https://mcp.linear.app/sse'],
  },
  {
    title: 'a list of entries',
    text: '[{ "name": "one", "command": "x" }, { "name": "two", "url": "https://two.example/mcp" }]',
    servers: ['one = x', 'two = url https://two.example/mcp'],
  },
  {
    title: 'a list under the section',
    text: '{ "mcpServers": [{ "name": "one", "command": "x", "args": ["1"] }] }',
    servers: ['one = x 1'],
  },
  {
    title: 'comments, a comma too many, a byte order mark',
    text: '\uFEFF{\n  // .mcp.json\n  "mcpServers": {\n    /* local */\n    "x": { "command": "node", "args": ["s.js",], },\n  },\n}',
    servers: ['x = node s.js'],
  },
  {
    title: 'a comment with the file’s name in front',
    text: '// .vscode/mcp.json\n{ "servers": { "x": { "command": "x" } } }',
    servers: ['x = x'],
  },
  {
    title: 'typographic quotes and blanks of a web page',
    text: '{\u00A0“mcpServers”: {\u00A0“x”: { “command”: “npx”, “args”: [“-y”, “x”] } } }',
    servers: ['x = npx -y x'],
  },
  {
    title: 'a fence of Markdown with text around it',
    text: 'Add this to your config:\n\n```json\n{ "mcpServers": { "x": { "command": "x" } } }\n```\n\nThen restart.',
    servers: ['x = x'],
  },
  {
    title: 'ends of lines of Windows',
    text: '{\r\n  "mcpServers": {\r\n    "x": { "command": "x" }\r\n  }\r\n}\r\n',
    servers: ['x = x'],
  },
  {
    title: 'Codex',
    text: '[mcp_servers.context7]\ncommand = "npx"\nargs = ["-y", "@upstash/context7-mcp"]\n\n[mcp_servers.context7.env]\nMODE = "fast"',
    servers: ['context7 = npx -y @upstash/context7-mcp {MODE=fast}'],
  },
  {
    title: 'Codex, with a URL and the variable of its token',
    text: '[mcp_servers.figma]\nurl = "https://mcp.figma.com/mcp"\nbearer_token_env_var = "FIGMA_TOKEN"',
    servers: ['figma = url https://mcp.figma.com/mcp [Authorization: Bearer ${env:FIGMA_TOKEN}]'],
  },
  {
    title: 'Codex, with a comment and a name in quotes',
    text: '# ~/.codex/config.toml\n[mcp_servers."my server"]\ncommand = \'C:\\tools\\x.exe\'',
    servers: ['my server = C:\\tools\\x.exe'],
  },
  {
    title: 'Zed',
    text: '{ "context_servers": { "pg": { "source": "custom", "command": { "path": "pg-mcp", "args": ["--ro"], "env": { "A": "1" } } } } }',
    servers: ['pg = pg-mcp --ro {A=1}'],
  },
  {
    title: 'opencode',
    text: '{ "$schema": "https://opencode.ai/config.json", "mcp": { "x": { "type": "local", "command": ["bun", "x", "srv"], "enabled": true, "environment": { "T": "{env:T}" } } } }',
    servers: ['x = bun x srv {T=${env:T}}'],
  },
  {
    title: 'opencode, remote',
    text: '{ "mcp": { "sentry": { "type": "remote", "url": "https://mcp.sentry.dev/mcp", "oauth": {} } } }',
    servers: ['sentry = url https://mcp.sentry.dev/mcp'],
  },
  {
    title: 'Gemini CLI',
    text: '{ "mcpServers": { "gh": { "httpUrl": "https://api.githubcopilot.com/mcp/", "headers": { "Authorization": "Bearer $GITHUB_PAT" }, "timeout": 5000 } } }',
    servers: ['gh = http https://api.githubcopilot.com/mcp/ [Authorization: Bearer ${GITHUB_PAT}]'],
  },
  {
    title: 'Claude Code’s own file, by projects',
    text: '{ "projects": { "/home/me/app": { "mcpServers": { "x": { "type": "stdio", "command": "x" } } } } }',
    servers: ['x = x'],
  },
  {
    title: 'a product’s settings, with a prefix',
    text: '{ "amp.mcpServers": { "x": { "command": "x" } } }',
    servers: ['x = x'],
  },
  {
    title: 'a development container’s file',
    text: '{ "customizations": { "vscode": { "mcp": { "servers": { "x": { "command": "x" } } } } } }',
    servers: ['x = x'],
  },
  {
    title: 'Windsurf',
    text: '{ "mcpServers": { "x": { "serverUrl": "https://x.example/sse" } } }',
    servers: ['x = url https://x.example/sse'],
  },
  {
    title: 'a server that is called as the section is',
    text: '{ "mcpServers": { "servers": { "command": "x" } } }',
    servers: ['servers = x'],
  },
];

const secrets: readonly PastedText[] = [
  {
    title: 'a key in the environment',
    text: `{ "mcpServers": { "brave": { "command": "npx", "args": ["-y", "x"], "env": { "BRAVE_API_KEY": "${KEY}", "LOG_LEVEL": "debug", "PORT": "8080" } } } }`,
    servers: ['brave = npx -y x {BRAVE_API_KEY=${input:brave-api-key}, LOG_LEVEL=debug, PORT=8080}'],
    answers: { 'brave-api-key': KEY },
  },
  {
    title: 'a placeholder in the environment',
    text: '{ "mcpServers": { "brave": { "command": "npx", "args": ["x"], "env": { "BRAVE_API_KEY": "YOUR_API_KEY_HERE", "EMPTY_TOKEN": "" } } } }',
    servers: ['brave = npx x {BRAVE_API_KEY=${input:brave-api-key}, EMPTY_TOKEN=${input:brave-empty-token}}'],
  },
  {
    title: 'a header with a token',
    text: `{ "servers": { "gh": { "type": "http", "url": "https://api.example/mcp", "headers": { "Authorization": "Bearer ${GHP}", "X-Toolsets": "repos" } } } }`,
    servers: [
      'gh = http https://api.example/mcp [Authorization: Bearer ${input:gh-authorization}] [X-Toolsets: repos]',
    ],
    answers: { 'gh-authorization': GHP },
  },
  {
    title: 'a header with a placeholder',
    text: '{ "servers": { "gh": { "url": "https://api.example/mcp", "headers": { "Authorization": "Bearer <your-token>" } } } }',
    servers: ['gh = url https://api.example/mcp [Authorization: Bearer ${input:gh-authorization}]'],
  },
  {
    title: 'an option with a key',
    text: `npx -y figma-developer-mcp --figma-api-key=${KEY} --stdio`,
    servers: [
      'figma-developer = npx -y figma-developer-mcp --figma-api-key=${input:figma-developer-figma-api-key} --stdio',
    ],
    answers: { 'figma-developer-figma-api-key': KEY },
  },
  {
    title: 'an option and its key, parted',
    text: `npx -y @x/srv --api-key ${KEY}`,
    servers: ['srv = npx -y @x/srv --api-key ${input:srv-api-key}'],
    answers: { 'srv-api-key': KEY },
  },
  {
    title: 'a key in the address',
    text: `https://mcp.tavily.com/mcp/?tavilyApiKey=${KEY}`,
    servers: ['tavily = url https://mcp.tavily.com/mcp/?tavilyApiKey=${input:tavilyapikey}'],
    answers: { tavilyapikey: KEY },
  },
  {
    title: 'a key in the path of the address',
    text: 'https://mcp.zapier.example/api/mcp/s/ZjQ4OTFhNmItMzQ5ZC00Yjdm/mcp',
    servers: ['zapier = url https://mcp.zapier.example/api/mcp/s/${input:zapier-key}/mcp'],
    answers: { 'zapier-key': 'ZjQ4OTFhNmItMzQ5ZC00Yjdm' },
  },
  {
    title: 'a placeholder in the address',
    text: '{ "url": "https://<your-domain>.example.com/mcp" }',
    servers: ['example = url https://${input:example-domain}.example.com/mcp'],
  },
  {
    title: 'a password in a connection string',
    text: 'npx -y @modelcontextprotocol/server-postgres postgresql://me:s3cr3tpass@db.example.com:5432/app',
    servers: [
      'postgres = npx -y @modelcontextprotocol/server-postgres postgresql://me:${input:postgres-url-password}@db.example.com:5432/app',
    ],
    answers: { 'postgres-url-password': 's3cr3tpass' },
  },
  {
    title: 'a variable of docker with its value',
    text: `docker run -i --rm -e GITHUB_PERSONAL_ACCESS_TOKEN=${GHP} ghcr.io/github/github-mcp-server`,
    servers: [
      'github = docker run -i --rm -e GITHUB_PERSONAL_ACCESS_TOKEN=${input:github-personal-access-token} ghcr.io/github/github-mcp-server',
    ],
    answers: { 'github-personal-access-token': GHP },
  },
  {
    title: 'a header as an argument',
    text: `npx mcp-remote https://x.example/sse --header "Authorization: Bearer ${KEY}"`,
    servers: ['x = npx mcp-remote https://x.example/sse --header "Authorization: Bearer ${input:x-authorization}"'],
    answers: { 'x-authorization': KEY },
  },
  {
    title: 'a path that nobody has',
    text: '{ "fs": { "command": "npx", "args": ["-y", "srv", "/path/to/your/files"] } }',
    servers: ['fs = npx -y srv ${input:fs-files}'],
  },
  {
    title: 'variables stay variables',
    text: '{ "mcpServers": { "x": { "command": "x", "env": { "API_KEY": "${API_KEY}", "B": "${env:B}", "C": "${input:c}" } } }, "inputs": [{ "id": "c", "type": "promptString" }] }',
    servers: ['x = x {API_KEY=${API_KEY}, B=${env:B}, C=${input:c}}'],
  },
];

const lines: readonly PastedText[] = [
  {
    title: 'a command',
    text: 'npx -y @modelcontextprotocol/server-everything',
    servers: ['everything = npx -y @modelcontextprotocol/server-everything'],
  },
  {
    title: 'a command behind a prompt',
    text: '$ uvx mcp-server-git --repository .',
    servers: ['git = uvx mcp-server-git --repository .'],
  },
  {
    title: 'quotes and a home folder',
    text: `node ~/mcp/server.js "two words" 'single "quoted"' --x="a b"`,
    servers: ['server = node ${userHome}/mcp/server.js "two words" "single \\"quoted\\"" "--x=a b"'],
  },
  {
    title: 'variables',
    text: 'npx -y srv "$HOME/notes" ${WORK_DIR}/x $(pwd)',
    servers: ['srv = npx -y srv ${userHome}/notes ${WORK_DIR}/x ${workspaceFolder}'],
  },
  {
    title: 'assignments in front',
    text: `API_KEY=${KEY} MODE='read only' npx -y srv`,
    servers: ['srv = npx -y srv {API_KEY=${input:srv-api-key}, MODE=read only}'],
    answers: { 'srv-api-key': KEY },
  },
  { title: 'env in front', text: 'env DEBUG=1 uvx srv', servers: ['srv = uvx srv {DEBUG=1}'] },
  {
    title: 'exports, then a command',
    text: 'export MODE=fast\nexport LANG=C\nnpx -y srv',
    servers: ['srv = npx -y srv {MODE=fast, LANG=C}'],
  },
  {
    title: 'a folder, then a command',
    text: 'cd /opt/srv && uv run server.py',
    servers: ['server = uv run server.py @/opt/srv'],
  },
  {
    title: 'a line that goes on',
    text: 'docker run -i --rm \\\n  --mount type=bind,src=/data,dst=/data \\\n  mcp/filesystem /data',
    servers: ['filesystem = docker run -i --rm --mount type=bind,src=/data,dst=/data mcp/filesystem /data'],
  },
  {
    title: 'docker, with the folder at hand',
    text: 'docker run -i --rm -v "$(pwd):/app" ghcr.io/acme/tools-mcp:1.2',
    servers: ['tools = docker run -i --rm -v ${workspaceFolder}:/app ghcr.io/acme/tools-mcp:1.2'],
  },
  {
    title: 'steps before the command',
    text: 'npm install -g acme-mcp\n# then\nacme-mcp --stdio',
    servers: ['acme = acme-mcp --stdio'],
  },
  { title: 'a command in backticks', text: '`npx -y srv`', servers: ['srv = npx -y srv'] },
  {
    title: 'a runner with a source',
    text: 'uvx --from git+https://github.com/oraios/serena serena start-mcp-server',
    servers: ['serena = uvx --from git+https://github.com/oraios/serena serena start-mcp-server'],
  },
  {
    title: 'a script in a folder',
    text: 'node /home/me/weather-server/build/index.js',
    servers: ['weather = node /home/me/weather-server/build/index.js'],
  },
  {
    title: 'a path of Windows',
    text: 'C:\\tools\\srv.exe --root "C:\\My Files\\" --x',
    servers: ['srv = C:\\tools\\srv.exe --root "C:\\\\My Files\\\\" --x'],
    platform: 'win32',
  },
  {
    title: 'a command for Windows, pasted elsewhere',
    text: 'cmd /c npx -y srv --dir C:\\data',
    servers: ['srv = cmd /c npx -y srv --dir C:\\data'],
  },
  {
    title: 'variables of cmd',
    text: 'set MODE=fast&& npx -y srv %USERPROFILE%\\notes %DATA_DIR%',
    servers: ['srv = npx -y srv ${userHome}\\notes ${DATA_DIR} {MODE=fast}'],
    platform: 'win32',
  },
  {
    title: 'variables of PowerShell',
    text: '$env:MODE = "fast"\nnpx -y srv $env:USERPROFILE\\notes',
    servers: ['srv = npx -y srv ${userHome}\\notes {MODE=fast}'],
    platform: 'win32',
  },
  {
    title: 'a prompt of PowerShell, a line that goes on',
    text: 'PS C:\\work> npx -y srv `\n  --mode fast',
    servers: ['srv = npx -y srv --mode fast'],
    platform: 'win32',
  },
  {
    title: 'an argument of JSON',
    text: `npx -y srv --config '{"a": 1}'`,
    servers: ['srv = npx -y srv --config "{\\"a\\": 1}"'],
  },
];

const adding: readonly PastedText[] = [
  {
    title: 'claude mcp add',
    text: 'claude mcp add playwright npx @playwright/mcp@latest',
    servers: ['playwright = npx @playwright/mcp@latest'],
  },
  {
    title: 'claude mcp add, with everything',
    text: `claude mcp add -s user --transport stdio airtable --env AIRTABLE_API_KEY=${KEY} -- npx -y airtable-mcp-server -s x`,
    servers: ['airtable = npx -y airtable-mcp-server -s x {AIRTABLE_API_KEY=${input:airtable-api-key}}'],
    answers: { 'airtable-api-key': KEY },
  },
  {
    title: 'claude mcp add, several variables',
    text: 'claude mcp add -e A=1 B=2 -e C=3 srv -- node s.js',
    servers: ['srv = node s.js {A=1, B=2, C=3}'],
  },
  {
    title: 'claude mcp add, its options last',
    text: 'claude mcp add srv npx -y srv -s user -e MODE=x',
    servers: ['srv = npx -y srv {MODE=x}'],
  },
  {
    title: 'claude mcp add, over HTTP',
    text: 'claude mcp add --transport http notion https://mcp.notion.com/mcp',
    servers: ['notion = http https://mcp.notion.com/mcp'],
  },
  {
    title: 'claude mcp add, with a header',
    text: `claude mcp add --transport sse private https://api.example.com/sse \\\n  --header "X-API-Key: ${KEY}"`,
    servers: ['private = sse https://api.example.com/sse [X-API-Key: ${input:private-x-api-key}]'],
    answers: { 'private-x-api-key': KEY },
  },
  {
    title: 'claude mcp add-json',
    text: `claude mcp add-json weather '{"type":"stdio","command":"weather-cli","args":["--x"],"env":{"CACHE":"/tmp"}}' -s user`,
    servers: ['weather = weather-cli --x {CACHE=/tmp}'],
  },
  {
    title: 'claude mcp add-json, over several lines',
    text: `claude mcp add-json gh '{\n  "type": "http",\n  "url": "https://api.example/mcp"\n}'`,
    servers: ['gh = http https://api.example/mcp'],
  },
  {
    title: 'two of them',
    text: 'claude mcp add a -- npx a\nclaude mcp add b -- npx b',
    servers: ['a = npx a', 'b = npx b'],
  },
  {
    title: 'code --add-mcp',
    text: `code --add-mcp '{"name":"playwright","command":"npx","args":["@playwright/mcp@latest"]}'`,
    servers: ['playwright = npx @playwright/mcp@latest'],
  },
  {
    title: 'code --add-mcp, for Windows',
    text: 'code-insiders --add-mcp "{\\"name\\":\\"x\\",\\"command\\":\\"npx\\",\\"args\\":[\\"x\\"]}"',
    servers: ['x = npx x'],
    platform: 'win32',
  },
  {
    title: 'codex mcp add',
    text: 'codex mcp add context7 --env MODE=x -- npx -y @upstash/context7-mcp',
    servers: ['context7 = npx -y @upstash/context7-mcp {MODE=x}'],
  },
  {
    title: 'codex mcp add, with a URL',
    text: 'codex mcp add figma --url https://mcp.figma.com/mcp --bearer-token-env-var FIGMA_TOKEN',
    servers: ['figma = url https://mcp.figma.com/mcp [Authorization: Bearer ${FIGMA_TOKEN}]'],
  },
  {
    title: 'gemini mcp add',
    text: 'gemini mcp add -s user -e MODE=x --trust srv python server.py --port 8080',
    servers: ['srv = python server.py --port 8080 {MODE=x}'],
  },
  {
    title: 'gemini mcp add, over HTTP',
    text: 'gemini mcp add -t http --header "X-Team: core" srv https://srv.example/mcp',
    servers: ['srv = http https://srv.example/mcp [X-Team: core]'],
  },
  {
    title: 'a command in one word behind the name',
    text: 'droid mcp add playwright "npx -y @playwright/mcp@latest"',
    servers: ['playwright = npx -y @playwright/mcp@latest'],
  },
  {
    title: 'everything by options',
    text: 'q mcp add --name time --scope global --command uvx --args mcp-server-time,--utc',
    servers: ['time = uvx mcp-server-time --utc'],
  },
];

const links: readonly PastedText[] = [
  { title: 'a URL', text: 'https://mcp.deepwiki.com/mcp', servers: ['deepwiki = url https://mcp.deepwiki.com/mcp'] },
  {
    title: 'a URL in quotes',
    text: '"https://mcp.deepwiki.com/mcp",',
    servers: ['deepwiki = url https://mcp.deepwiki.com/mcp'],
  },
  {
    title: 'a URL in brackets',
    text: '<http://localhost:3000/sse>',
    servers: ['local = url http://localhost:3000/sse'],
  },
  {
    title: 'a URL with parameters',
    text: 'https://mcp.supabase.com/mcp?project_ref=abc&read_only=true',
    servers: ['supabase = url https://mcp.supabase.com/mcp?project_ref=abc&read_only=true'],
  },
  {
    title: 'a URL with a header',
    text: `https://mcp.x.example/mcp -H "Authorization: Bearer ${KEY}"`,
    servers: ['x = url https://mcp.x.example/mcp [Authorization: Bearer ${input:x-authorization}]'],
    answers: { 'x-authorization': KEY },
  },
  {
    title: 'a WebSocket',
    text: 'wss://mcp.x-tools.example/ws',
    servers: ['x-tools = ws wss://mcp.x-tools.example/ws'],
  },
  {
    title: 'VS Code’s link',
    text: `vscode:mcp/install?${percent({ name: 'x', command: 'npx', args: ['-y', 'x'] })}`,
    servers: ['x = npx -y x'],
  },
  {
    title: 'VS Code’s page that leads on',
    text: `https://insiders.vscode.dev/redirect?url=${encodeURIComponent(`vscode-insiders:mcp/install?${percent({ name: 'x', url: 'https://x.example/mcp' })}`)}`,
    servers: ['x = url https://x.example/mcp'],
  },
  {
    title: 'VS Code’s badge with inputs',
    text: `[![Install](https://img.shields.io/badge/x.svg)](https://insiders.vscode.dev/redirect/mcp/install?name=gh&inputs=${percent([{ type: 'promptString', id: 'tok', password: true }])}&config=${percent({ command: 'docker', args: ['run', '-i', 'x'], env: { T: '${input:tok}' } })})`,
    servers: ['gh = docker run -i x {T=${input:tok}}'],
  },
  {
    title: 'Cursor’s link',
    text: `cursor://anysphere.cursor-deeplink/mcp/install?name=x&config=${base64({ command: 'npx -y x' })}`,
    servers: ['x = npx -y x'],
  },
  {
    title: 'Cursor’s page',
    text: `https://cursor.com/en/install-mcp?name=x&config=${encodeURIComponent(base64({ url: 'https://x.example/mcp' }))}`,
    servers: ['x = url https://x.example/mcp'],
  },
  {
    title: 'LM Studio’s link',
    text: `lmstudio://add_mcp?name=x&config=${base64({ command: 'uvx', args: ['x'] })}`,
    servers: ['x = uvx x'],
  },
  {
    title: 'goose’s link',
    text: 'goose://extension?cmd=npx&arg=-y&arg=%40x%2Fsrv&id=srv&name=My%20Server&env=API_KEY%3DYour%20key',
    servers: ['My Server = npx -y @x/srv {API_KEY=${input:my-server-api-key}}'],
  },
];

/** What users of other products reported as not read, or read wrongly. */
const reported: readonly PastedText[] = [
  {
    title: 'without the last brace, with a comma too many',
    text: '{\n"servers": {\n"fs": {"type":"stdio","command":"npx","args":["-y","fs","C:\\\\"]},\n"memory": {"command":"npx","args":["memory"]},\n}',
    servers: ['fs = npx -y fs C:\\', 'memory = npx memory'],
  },
  {
    title: 'an HTTP server that has no command',
    text: '{"name":"internal","slug":"internal","transport":"http","url":"https://i.example/mcp"}',
    servers: ['internal = http https://i.example/mcp'],
  },
  {
    title: 'the name behind a variable isn’t taken for a second one',
    text: 'claude mcp add -s user -e FOO=bar parser -- echo hello',
    servers: ['parser = echo hello {FOO=bar}'],
  },
  {
    title: 'what is behind -- is the server’s, options of the client’s included',
    text: 'claude mcp add gh -s user -- docker run -i --rm -p 127.0.0.1:8085:8085 -e A=1 alpine -- -s x',
    servers: ['gh = docker run -i --rm -p 127.0.0.1:8085:8085 -e A=1 alpine -- -s x'],
  },
  {
    title: 'a placeholder behind the beginning of a token',
    text: 'claude mcp add --env GITLAB_TOKEN=glpat-your-token \\\n  gitlab -- npx -y mcp-gitlab',
    servers: ['gitlab = npx -y mcp-gitlab {GITLAB_TOKEN=${input:gitlab-token}}'],
  },
  {
    title: 'a path with an escaped blank',
    text: '/Applications/My\\ App.app/Contents/MacOS/Hopper',
    servers: ['Hopper = "/Applications/My App.app/Contents/MacOS/Hopper"'],
  },
  {
    title: 'the same on Windows, for a machine in the network',
    text: '/opt/my\\ app/tool',
    servers: ['my-app = "/opt/my app/tool"'],
    platform: 'win32',
  },
  {
    title: 'an argument with blanks and brackets',
    text: 'claude mcp add fetch -- uvx mcp-server-fetch --user-agent "Test (x) Test"',
    servers: ['fetch = uvx mcp-server-fetch --user-agent "Test (x) Test"'],
  },
  {
    title: 'escaped quotes of PowerShell',
    text: `code --add-mcp '{\\"name\\":\\"playwright\\",\\"command\\":\\"npx\\",\\"args\\":[\\"p\\"]}'`,
    servers: ['playwright = npx p'],
  },
  {
    title: 'doubled quotes of cmd',
    text: 'code --add-mcp "{""name"":""x"",""command"":""npx"",""args"":[""a b""]}"',
    servers: ['x = npx "a b"'],
    platform: 'win32',
  },
  { title: 'dashes of a word processor', text: 'npx –y srv —port 3', servers: ['srv = npx -y srv --port 3'] },
  {
    title: 'a + of base64 in a link',
    text: `cursor://anysphere.cursor-deeplink/mcp/install?name=x&config=${base64({ command: 'x', args: ['~~~>>>???ü'] })}`,
    servers: ['x = x ~~~>>>???ü'],
  },
  {
    title: 'an & in the address of a link',
    text: `vscode:mcp/install?${percent({ name: 'x', url: 'https://x.example/mcp?a=1&b=2' })}`,
    servers: ['x = url https://x.example/mcp?a=1&b=2'],
  },
  {
    title: 'a path that is escaped twice in a page that leads on',
    text: 'https://cursor.com/link/mcp%2Finstall?name=blender&config=eyJjb21tYW5kIjoidXZ4IGJsZW5kZXItbWNwIn0%3D',
    servers: ['blender = uvx blender-mcp'],
  },
  {
    title: 'a link of another product',
    text: `cherrystudio://mcp/install?servers=${base64({ mcpServers: { x: { command: 'x' } } })}`,
    servers: ['x = x'],
  },
  {
    title: 'the old key of the editor’s settings',
    text: '{ "github.copilot.chat.mcp.servers": { "x": { "command": "x" } } }',
    servers: ['x = x'],
  },
  {
    title: 'add-mcp',
    text: 'npx -y add-mcp@1.14.0 https://mcp.x.example/v2/mcp --name fire --transport http --global --all --yes',
    servers: ['fire = http https://mcp.x.example/v2/mcp'],
  },
  {
    title: 'a configuration for one run',
    text: `copilot --additional-mcp-config '{"mcpServers":{"x":{"command":"x"}}}'`,
    servers: ['x = x'],
  },
];

/** What is copied out of pages, READMEs, terminals and forms, with what stands around it. */
const pages: readonly PastedText[] = [
  {
    title: 'JavaScript’s spelling of an object, with comments (JSON5)',
    text: `{\n  // runner\n  mcpServers: {\n    x: { command: 'npx', args: ['-y', 'x',], env: { URL:'https://a.example//b' } }, /* end */\n  },\n}`,
    servers: ['x = npx -y x {URL=https://a.example//b}'],
  },
  {
    title: 'lone backslashes in JSON, of which some are escapes',
    text: String.raw`{"mcpServers":{"w":{"command":"C:\Users\me\python.exe","args":["C:\tools\new\server.py","--dir=D:\repo"]}}}`,
    servers: [String.raw`w = C:\Users\me\python.exe C:\tools\new\server.py --dir=D:\repo`],
  },
  {
    title: 'JSON in a string of JSON',
    text: JSON.stringify(JSON.stringify(JSON.stringify({ mcpServers: { x: { command: 'npx', args: ['-y', 'x'] } } }))),
    servers: ['x = npx -y x'],
  },
  {
    title: 'JSON inside of a sentence',
    text: 'Add this to your config: {"mcpServers":{"x":{"command":"npx","args":["-y","x"]}}} and restart.',
    servers: ['x = npx -y x'],
  },
  {
    title: 'a row of a table in a README',
    text: '| Context7 | `npx -y @upstash/context7-mcp@latest` | Up-to-date docs |',
    servers: ['context7 = npx -y @upstash/context7-mcp@latest'],
  },
  {
    title: 'a row with an address',
    text: '| Linear | Project management | `https://mcp.linear.app/sse` | OAuth2.1 |',
    servers: ['linear = url https://mcp.linear.app/sse'],
  },
  {
    title: 'a cell of HTML',
    text: '<td><code>npx -y x-mcp --label &quot;a b&quot;</code></td>',
    servers: ['x = npx -y x-mcp --label "a b"'],
  },
  {
    title: 'an item of a list',
    text: '- **Command:** `uvx mcp-server-git`, see the `README`',
    servers: ['git = uvx mcp-server-git'],
  },
  {
    title: 'a command that a word leads to',
    text: 'Run npx -y x-mcp --port 3',
    servers: ['x = npx -y x-mcp --port 3'],
  },
  {
    title: 'a command behind a colon',
    text: 'Start it with: docker run -i mcp/time',
    servers: ['time = docker run -i mcp/time'],
  },
  {
    title: 'an address at the end of a sentence',
    text: 'The server URL is https://mcp.acme.example/v1/mcp.',
    servers: ['acme = url https://mcp.acme.example/v1/mcp'],
  },
  {
    title: 'a line of curl',
    text: `curl -sN -X POST https://api.x.example/v1 -H "Authorization: Bearer ${KEY}" -H 'Content-Type: application/json' -H "Accept: text/event-stream" -d '{"jsonrpc":"2.0","id":1,"method":"initialize"}'`,
    servers: ['x = url https://api.x.example/v1 [Authorization: Bearer ${input:x-authorization}]'],
    answers: { 'x-authorization': KEY },
  },
  {
    title: 'curl and nothing but an address of a server',
    text: 'curl https://mcp.deepwiki.example/mcp',
    servers: ['deepwiki = url https://mcp.deepwiki.example/mcp'],
  },
  {
    title: 'a request as it goes over the wire',
    text: `POST https://mcp.x.example/mcp HTTP/1.1\nHost: mcp.x.example\nX-Api-Key: ${KEY}\nMcp-Session-Id: 1\n`,
    servers: ['x = url https://mcp.x.example/mcp [X-Api-Key: ${input:x-api-key}]'],
    answers: { 'x-api-key': KEY },
  },
  {
    title: 'PowerShell’s variable in front, in one line',
    text: `$env:API_KEY="${KEY}"; npx -y acme-mcp`,
    servers: ['acme = npx -y acme-mcp {API_KEY=${input:acme-api-key}}'],
    answers: { 'acme-api-key': KEY },
    platform: 'win32',
  },
  {
    title: 'several of PowerShell’s, in lines',
    text: '$env:A = "1";\n$env:B = "C:\\a;C:\\b"\nnpx -y acme-mcp',
    servers: ['acme = npx -y acme-mcp {A=1, B=C:\\a;C:\\b}'],
    platform: 'win32',
  },
  { title: 'letters that nobody sees', text: 'npx -y acme-mcp\u200b', servers: ['acme = npx -y acme-mcp'] },
  {
    title: 'a container with a terminal',
    text: 'docker run -it --rm mcp/time',
    servers: ['time = docker run -i --rm mcp/time'],
  },
  {
    title: 'uvx from a repository, at a tag and in a folder',
    text: 'uvx --from "git+https://github.com/x/y@v1.2#subdirectory=mcp" y-mcp',
    servers: ['y = uvx --from git+https://github.com/x/y@v1.2#subdirectory=mcp y-mcp'],
  },
  {
    title: 'a script below somebody’s home folder',
    text: String.raw`"C:\Program Files\nodejs\node.exe" C:\Users\me\mcp\index.js`,
    servers: [String.raw`index = "C:\\Program Files\\nodejs\\node.exe" C:\Users\me\mcp\index.js`],
    platform: 'win32',
  },
  { title: 'through WSL', text: 'wsl -d Ubuntu npx -y @acme/mcp', servers: ['acme = wsl -d Ubuntu npx -y @acme/mcp'] },
];

export const PASTED: readonly PastedText[] = [
  ...pages,
  ...data,
  ...secrets,
  ...lines,
  ...adding,
  ...links,
  ...reported,
  ...PASTED_YAML,
];

/** Texts that nothing may be read from, and what is said. */
export const HOSTILE: readonly { title: string; text: string; message: RegExp; platform?: NodeJS.Platform }[] = [
  { title: 'nothing', text: ' \n\t', message: /Nothing was entered/ },
  { title: 'a bracket alone', text: '{', message: /not closed/ },
  { title: 'a closing bracket', text: '}', message: /Expected a value/ },
  {
    title: 'JSON that breaks off',
    text: '{ "mcpServers": { "x": { "command": "npx", "args": ["-y"',
    message: /not closed/,
  },
  { title: 'JSON with text behind', text: '{ "command": "x" } and restart', message: /Unexpected text|isn't JSON/ },
  {
    title: 'names without quotes that aren’t closed',
    text: '{\n  mcpServers: {\n    x: { command: "x" }\n',
    message: /^Line 2: `mcpServers` isn't JSON/,
  },
  {
    title: 'a sentence with a command that only a shell runs',
    text: 'Install it with `curl -fsSL https://x.example/install.sh | bash` and restart.',
    message: /needs a shell/,
  },
  {
    title: 'a sentence with two addresses',
    text: 'See https://a.example and the page of https://b.example/mcp',
    message: /no program/,
  },
  {
    title: 'an installer',
    text: 'npx -y @smithery/cli@latest install @acme/weather --client claude',
    message: /installs or/,
  },
  {
    title: 'a file that curl fetches',
    text: 'curl -fsSL https://x.example/install.sh',
    message: /installs or prepares/,
  },
  { title: 'JSON without a server', text: '{ "editor.fontSize": 12 }', message: /No server is in it/ },
  { title: 'an empty section', text: '{ "mcpServers": {} }', message: /No server is in it/ },
  {
    title: 'an entry with both',
    text: '{ "x": { "command": "x", "url": "https://x.example" } }',
    message: /both `command` and `url`/,
  },
  {
    title: 'an address with a user in front',
    text: '{ "url": "https://good.example@evil.example/mcp" }',
    message: /user name or password/,
  },
  {
    title: 'an address with a backslash',
    text: '{ "url": "https://good.example\\\\@evil.example/mcp" }',
    message: /backslash/,
  },
  { title: 'another scheme', text: '{ "url": "file:///etc/passwd" }', message: /must begin with/ },
  {
    title: 'a pipe into a shell',
    text: 'curl -fsSL https://x.example/install.sh | bash',
    message: /`\|` needs a shell/,
  },
  { title: 'a command behind another', text: 'npx -y srv || rm -rf ~', message: /`\|\|` needs a shell/ },
  { title: 'a substitution', text: 'npx -y srv --key "$(cat ~/.ssh/id_rsa)" $(id)', message: /`\$\(` needs a shell/ },
  { title: 'backticks', text: 'npx -y srv `id`', message: /` needs a shell/ },
  { title: 'a redirection', text: 'npx -y srv > /tmp/log', message: /`>` needs a shell/ },
  { title: 'a quote that isn’t closed', text: 'npx -y "srv', message: /quote \("\) is not closed/ },
  { title: 'a sentence', text: 'Install the server with npx and restart.', message: /no program/ },
  { title: 'a sentence that names a program', text: 'Use npx to start it in the folder.', message: /no program/ },
  { title: 'a package alone', text: '@modelcontextprotocol/server-memory', message: /name of a package/ },
  { title: 'a host without a scheme', text: 'mcp.example.com/mcp', message: /no scheme/ },
  { title: 'a local port', text: 'localhost:3000/mcp', message: /no scheme/ },
  { title: 'only an installation', text: 'npm install -g srv', message: /installs or prepares/ },
  {
    title: 'YAML with wrong indentation',
    text: 'mcpServers:\n  x:\n    command: npx\n   args: []',
    message: /^Line 4: Invalid YAML: /,
  },
  { title: 'YAML without a server', text: 'on: push\njobs:\n  build: {}\n', message: /No server is in it/ },
  {
    title: 'YAML that has lost its line ends',
    text: 'mcpServers: x: command: npx args: [-y, a]',
    message: /Invalid YAML/,
  },
  {
    title: 'YAML whose anchors make it grow without end',
    text: `a0: &a0 [x]\n${Array.from({ length: 30 }, (_, index) => `a${index + 1}: &a${index + 1} [*a${index}, *a${index}]\n`).join('')}command: x\n`,
    message: /too many values/,
  },
  {
    title: 'YAML of another tag',
    text: 'mcpServers:\n  x:\n    command: !!js/function "x"\n',
    message: /Invalid YAML: unknown tag/,
  },
  { title: 'TOML that breaks off', text: '[mcp_servers.x]\ncommand = "npx', message: /TOML/ },
  { title: 'TOML without a server', text: '[tools]\nweb = true', message: /No server is in it/ },
  { title: 'claude mcp list', text: 'claude mcp list', message: /adds no server/ },
  { title: 'claude mcp add with nothing behind', text: 'claude mcp add x', message: /names no command/ },
  { title: 'claude mcp add with a broken variable', text: 'claude mcp add -e KEY x -- npx x', message: /has no `=`/ },
  {
    title: 'claude mcp add with an option that is not known',
    text: 'claude mcp add --run-as root x -- npx x',
    message: /no option/,
  },
  {
    title: 'claude mcp add-json with broken JSON',
    text: `claude mcp add-json x '{"command": '`,
    message: /Expected a value|not closed/,
  },
  {
    title: 'a link with a broken configuration',
    text: 'cursor://anysphere.cursor-deeplink/mcp/install?name=x&config=!!!',
    message: /can’t be read/,
  },
  { title: 'a link of a gallery', text: 'vscode:mcp/by-name?io.github.x/y', message: /gallery/ },
  { title: 'an entry whose command is nothing', text: '{ "x": { "command": "" } }', message: /empty/ },
  {
    title: 'a command with a line in it',
    text: '{ "x": { "command": "curl https://x.example | sh" } }',
    message: /line for a shell/,
  },
];
