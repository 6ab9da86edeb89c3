import path from 'node:path';
import { oauthTexts } from './specFields.ts';
import { homeExpanded, scanVariables } from './variableSyntax.ts';
import type { TransportSpec, WorkspaceFolder } from '../configTypes.ts';

/** What variables stand for. Nothing is run or asked here: `input` and `command` answer from what is known already. */
export interface VariableContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What the entry itself sets, which counts more. */
  readonly ownEnv?: Readonly<Record<string, string>> | undefined;
  readonly platform: NodeJS.Platform;
  readonly userHome: string;
  /** The folder that the server belongs to, or the first one. */
  readonly workspaceFolder?: WorkspaceFolder;
  readonly workspaceFolders: readonly WorkspaceFolder[];
  /** The folder of the file that the server is defined in. */
  readonly definitionFolder?: string;
  /** What a relative `cwd` or `envFile` is relative to: the workspace folder, or the home folder where there is none. */
  readonly baseFolder?: string;
  /** The answer given for `${input:id}`, if one was given. */
  input?(id: string): string | undefined;
  /** The result of the editor's command `id`, if it has run. */
  command?(id: string): string | undefined;
  /** Told of each value that replaces a variable. */
  onValue?(variable: string, field: string, value: string): void;
}

/** A variable that has no value, and the field that needs it, e.g. `env.TOKEN` or `args[1]`. */
export interface MissingVariable {
  /** As in the file, e.g. `TOKEN` or `input:key`. */
  readonly variable: string;
  readonly field: string;
}

export type Expansion =
  | { readonly ok: true; readonly spec: TransportSpec }
  | { readonly ok: false; readonly missing: readonly MissingVariable[] };

/**
 * Replaces the variables in every string of `spec` (design: *Variables*): `${VAR}`, `${VAR:-default}`, `${env:VAR}`,
 * `${workspaceFolder}` and its kin, `${userHome}`, `${pathSeparator}`, `${/}`, `${input:id}`, `${command:id}`,
 * `~/` at the start of a path, `%VAR%` on Windows. A value is never expanded again. A default counts where the variable
 * is unset or empty. With a variable missing there is no spec: a server never gets a literal `${X}`. What the entry's own
 * `env` sets counts in its other fields: `mcp-remote` and others are documented so.
 */
export function expandSpec(spec: TransportSpec, context: VariableContext): Expansion {
  if (spec.type === 'sdk') return { ok: true, spec };
  const missing: MissingVariable[] = [];
  let ownEnv: VariableContext['ownEnv'];
  const expand = (text: string, field: string, percent = true): string =>
    scanVariables(text, {
      percent: percent && context.platform === 'win32',
      lookUp: (variable) => {
        const value = valueOf(variable, { ...context, ownEnv });
        if (value !== undefined) context.onValue?.(variable, field, value);
        return value;
      },
      onMissing: (variable) => {
        if (!missing.some((item) => item.variable === variable && item.field === field))
          missing.push({ variable, field });
      },
    });
  const expandPath = (text: string, field: string): string => homeExpanded(expand(text, field), text, context);
  const expandMap = (map: Readonly<Record<string, string>>, field: string): Record<string, string> =>
    Object.fromEntries(
      Object.entries(map).map(([name, value]) => [name, expand(value, `${field}.${name}`, field === 'env')]),
    );
  const env = spec.type === 'stdio' ? expandMap(spec.env, 'env') : {};
  ownEnv = env;
  const expanded: TransportSpec =
    spec.type === 'stdio'
      ? {
          type: spec.type,
          command: expandPath(spec.command, 'command'),
          args: spec.args.map((arg, index) => expand(arg, `args[${index}]`)),
          env,
          ...(spec.cwd === undefined ? {} : { cwd: absolute(expandPath(spec.cwd, 'cwd'), context) }),
          ...(spec.envFile === undefined ? {} : { envFile: absolute(expandPath(spec.envFile, 'envFile'), context) }),
        }
      : {
          type: spec.type,
          // `%41` is an escape in a URL, so `%VAR%` is none of ours there.
          url: expand(spec.url, 'url', false),
          headers: expandMap(spec.headers, 'headers'),
          ...(spec.headersHelper === undefined ? {} : { headersHelper: expand(spec.headersHelper, 'headersHelper') }),
          ...(spec.oauth === undefined
            ? {}
            : { oauth: spec.oauth && { ...spec.oauth, ...expandMap(oauthTexts(spec.oauth), 'oauth') } }),
          ...(spec.tls === undefined ? {} : { tls: spec.tls }),
        };
  return missing.length > 0 ? { ok: false, missing } : { ok: true, spec: expanded };
}

function absolute(file: string, context: VariableContext): string {
  const paths = context.platform === 'win32' ? path.win32 : path.posix;
  return context.baseFolder === undefined || paths.isAbsolute(file) ? file : paths.join(context.baseFolder, file);
}

/** @param variable what stands between `${` and `}`, without a default */
function valueOf(variable: string, context: VariableContext): string | undefined {
  const colon = variable.indexOf(':');
  if (colon < 0) return plainValueOf(variable, context);
  const argument = variable.slice(colon + 1);
  switch (variable.slice(0, colon)) {
    case 'env':
      return environmentValue(argument, context);
    case 'input':
      return context.input?.(argument);
    case 'command':
      return context.command?.(argument);
    case 'workspaceFolder':
      return context.workspaceFolders.find((folder) => folder.name === argument)?.path;
    case 'workspaceFolderBasename': {
      const folder = context.workspaceFolders.find((item) => item.name === argument);
      return folder && baseName(folder.path, context);
    }
    default:
      return undefined;
  }
}

function plainValueOf(variable: string, context: VariableContext): string | undefined {
  switch (variable) {
    case 'workspaceFolder':
      return context.workspaceFolder?.path;
    case 'workspaceFolderBasename':
      return context.workspaceFolder && baseName(context.workspaceFolder.path, context);
    case 'userHome':
      return context.userHome;
    case 'pathSeparator':
    case '/':
      return context.platform === 'win32' ? '\\' : '/';
    default:
      return environmentValue(variable, context) ?? otherProductsValue(variable, context);
  }
}

/** What other products set for the servers that they start, and what VS Code calls differently today. */
function otherProductsValue(variable: string, context: VariableContext): string | undefined {
  switch (variable) {
    case 'workspaceRoot':
    case 'workspacePath':
    case 'cwd':
    case 'CLAUDE_PROJECT_DIR':
      return context.workspaceFolder?.path;
    case 'extensionPath':
    case 'CLAUDE_PLUGIN_ROOT':
      return context.definitionFolder;
    case 'HOME':
      return context.userHome;
    default:
      return undefined;
  }
}

function baseName(folder: string, context: VariableContext): string {
  return context.platform === 'win32' ? path.win32.basename(folder) : path.posix.basename(folder);
}

/** Windows doesn't tell the case of names apart. */
export function environmentValue(
  name: string,
  { env, ownEnv, platform }: Pick<VariableContext, 'env' | 'ownEnv' | 'platform'>,
): string | undefined {
  const own = ownEnv && environmentValue(name, { env: ownEnv, platform });
  if (own !== undefined) return own;
  if (Object.hasOwn(env, name)) return env[name];
  if (platform !== 'win32') return undefined;
  const wanted = name.toLowerCase();
  const key = Object.keys(env).find((item) => item.toLowerCase() === wanted);
  return key === undefined ? undefined : env[key];
}
