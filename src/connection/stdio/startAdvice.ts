import { say } from '../../base/say.ts';
import { missingProgramRemedy } from './missingProgram.ts';

/** What is known of a process that ended before it was a server. */
export interface EndedStart {
  /** What it wrote that is no message, oldest first. */
  readonly lines: readonly string[];
  /** Names of the editor's variables that it didn't get. */
  readonly withheld: readonly string[];
}

const DEFAULT = say`See its log, or run the command in a terminal.`;

/** What to do about a server that reads as language servers do, told by what it wrote; `undefined`: nothing says that it does. */
export function framingAdvice(lines: readonly string[]): string | undefined {
  return lines.some((line) => /content-length/i.test(line))
    ? say`It reads messages behind \`Content-Length\` headers, but MCP has a message on each line: get a version of it that reads those.`
    : undefined;
}

/** What to do about a process that ended before it was a server, as one sentence, by what it wrote. */
export function startAdvice({ lines, withheld }: EndedStart): string {
  const text = lines.join('\n');
  const variable = withheldIn(text, withheld);
  if (variable !== undefined) return withheldAdvice(variable);
  const framing = framingAdvice(lines);
  if (framing !== undefined) return framing;
  for (const [pattern, advice] of ADVICE) {
    const match = pattern.exec(text);
    if (match) return typeof advice === 'string' ? advice : advice(match.slice(1).find((each) => each) ?? '');
  }
  return DEFAULT;
}

/** What to do where a server needs a variable that was withheld. */
export function withheldAdvice(name: string): string {
  const own = `"${name}": "\${${name}}"`;
  return say`\`${name}\` was withheld from this server; add it to its "env" if it may have it: ${own}.`;
}

/** The withheld variable that a text speaks of, by its name or by what fails without it. */
export function withheldIn(text: string, withheld: readonly string[]): string | undefined {
  if (withheld.length === 0) return undefined;
  const words = new Set(text.match(/[A-Za-z_][A-Za-z0-9_]*/g));
  const named = withheld.find((name) => name.length > 2 && words.has(name));
  if (named !== undefined) return named;
  return SYMPTOMS.find(([pattern]) => pattern.test(text))?.[1].find((name) => withheld.includes(name));
}

const SYMPTOMS: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    /cannot open display|missing x server|can't open display|no display|headed browser/i,
    ['DISPLAY', 'WAYLAND_DISPLAY'],
  ],
  [/authentication agent|permission denied \(publickey|ssh-agent|agent refused/i, ['SSH_AUTH_SOCK', 'SSH_AGENT_PID']],
  [/docker daemon|docker\.sock|dial unix|error during connect|dockerdesktop/i, ['DOCKER_HOST', 'DOCKER_CONTEXT']],
  [/d-?bus|secret service|keyring|org\.freedesktop/i, ['DBUS_SESSION_BUS_ADDRESS']],
  [
    /unable to locate credentials|could not load credentials|no aws|config profile|sso session/i,
    [...['AWS_PROFILE', 'AWS_ACCESS_KEY_ID', 'AWS_SESSION_TOKEN', 'AWS_REGION', 'AWS_CONFIG_FILE']],
  ],
  [/default credentials|gcloud auth/i, ['GOOGLE_APPLICATION_CREDENTIALS', 'CLOUDSDK_CONFIG']],
  [/kubeconfig|no configuration has been provided|localhost:8080 was refused/i, ['KUBECONFIG']],
  [/java.*(?:not found|not set)|unable to locate a java/i, ['JAVA_HOME']],
];

const PROGRAM = '([\\w.+-]+)';

const ADVICE: readonly (readonly [RegExp, string | ((found: string) => string)])[] = [
  [
    new RegExp(
      `env: [‘'"]?${PROGRAM}[’'"]?: No such file|(?:^|\\W)${PROGRAM}: (?:command )?not found|'${PROGRAM}' is not recognized`,
      'm',
    ),
    missingProgramRemedy,
  ],
  [
    /exec format error|cannot execute binary|wrong architecture|incompatible architecture|invalid ELF header|bad cpu type|not a valid win32/i,
    say`Install the build for this processor (${process.arch}) and this system.`,
  ],
  [
    /NODE_MODULE_VERSION|compiled against a different Node/,
    say`Install its packages again with the Node.js that starts it.`,
  ],
  [
    /EBADENGINE|unsupported engine|requires? node(?:\.js)?\b|node\.?js (?:version )?v?\d[\d.]* (?:is|or)|does not provide an export named|node:[\w/]+ is not|ERR_UNKNOWN_BUILTIN_MODULE/i,
    say`It needs another version of Node.js: install that, and write its full path as "command".`,
  ],
  [
    /requires[- ]python|python (?:version )?[\d.]+ (?:is|or)|Requires-Python/i,
    say`It needs another version of Python.`,
  ],
  [
    /heap out of memory|out of memory|MemoryError|Cannot allocate memory/i,
    say`Give it more memory: close other programs, or set "NODE_OPTIONS": "--max-old-space-size=4096" in its "env" if it runs in Node.js.`,
  ],
  [
    /EADDRINUSE|address already in use/i,
    say`Another process uses its port: stop that process, or give the server another port.`,
  ],
  [
    /WSL_E_DISTRO_NOT_FOUND|no distribution with the supplied name/i,
    say`Name a distribution that \`wsl --list\` shows.`,
  ],
  [/WSL_E_DEFAULT_DISTRO_NOT_FOUND|no installed distributions/i, say`Install a distribution: \`wsl --install\`.`],
  [/input device is not a TTY/i, say`Remove \`-t\` from "args": there is no terminal.`],
  [
    /docker daemon|error during connect|podman.*machine|dockerDesktopLinuxEngine/i,
    say`Start Docker, then connect the server again.`,
  ],
  [
    /pull access denied|manifest unknown|repository does not exist|denied: requested access/i,
    say`Check the name of the image, or sign in to its registry.`,
  ],
  [
    /self[-_ ]signed|SELF_SIGNED_CERT|UNABLE_TO_(?:GET|VERIFY)|unable to (?:get|verify)[\w ]* certificate|CERTIFICATE_VERIFY_FAILED|invalid peer certificate|x509:/i,
    say`Its downloads or requests meet a certificate that it doesn’t trust, often of a proxy: set "NODE_EXTRA_CA_CERTS" (Python: "SSL_CERT_FILE") in its "env" to the authority’s file.`,
  ],
  [
    /\bE404\b|404 not found|ETARGET|no matching version|not found in the package registry|No solution found/i,
    say`Check the name and the version of the package in "args".`,
  ],
  [
    /\bE40[13]\b|ENEEDAUTH|authentication required for|401 unauthorized/i,
    say`Sign in to the package registry, or correct its token.`,
  ],
  [
    /\bENOTFOUND|EAI_AGAIN|getaddrinfo|dns error|ETIMEDOUT|ECONNREFUSED|ENETUNREACH|network is unreachable/i,
    say`It could not reach the network: check the connection and the proxy settings.`,
  ],
  [/ENOSPC|no space left/i, say`Free some space on the disk.`],
  [
    /\bEACCES\b|\bEPERM\b|permission denied|operation not permitted/i,
    say`Check who owns the files and folders that it names, and their permissions.`,
  ],
  [
    /cannot find module|no module named|ModuleNotFoundError|can't open file|Could not find a part|Unable to access jarfile|ClassNotFound/i,
    say`Correct the path in "args", or install its packages.`,
  ],
  [
    /(?:^|[^\w$])\$?\{?([A-Z][A-Z0-9]*_[A-Z0-9_]+)\}?["'`]?(?: environment variable| env(?:ironment)? var)?(?: is| must| not| was| are| required|:? missing|:? undefined)|(?:variable|missing|required|set|provide)s?:? ["'`$]*([A-Z][A-Z0-9]*_[A-Z0-9_]+)/m,
    (name) => say`Set \`${name}\` in its "env".`,
  ],
  [
    /unknown (?:option|argument|command|flag)|bad option|unrecognized (?:option|argument)|invalid option|unexpected argument/i,
    say`Correct the options in "args".`,
  ],
];
