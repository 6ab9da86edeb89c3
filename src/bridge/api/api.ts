import * as vscode from 'vscode';
import type { ApiCaller, CallOptions, SearchOptions, SwitchboardApi } from '../../api.d.ts';
import { toDisposable } from '../../base/disposable.ts';
import { SwitchboardError } from '../../base/errors.ts';
import { callerId } from './callingExtension.ts';
import { checkDefinition } from './checkDefinition.ts';
import { apiError, functionOf, problemShape, serverShape, toolShape } from './apiShapes.ts';
import { editorHook } from './editorHook.ts';
import type { Logger } from '../../base/log.ts';
import type { Host } from '../../host/host.ts';
import type { ConfigPlaces } from './configAccess.ts';

export interface ApiPorts {
  readonly host: Host;
  readonly log: Logger;
  readonly places: ConfigPlaces;
  /** This extension's id. */
  readonly extensionId: string;
}

/**
 * See src/api.d.ts.
 * @throws ApiError
 */
export const getApi = guarded((ports: ApiPorts, version: unknown, caller?: ApiCaller): SwitchboardApi => {
  if (version !== 1) {
    const message = `MCP Switchboard has no version ${String(version)} of its API.`;
    throw new SwitchboardError('unsupported', message, { remedy: 'There is version 1.' });
  }
  const id = callerId(caller, new Error().stack ?? '', vscode.extensions.all, ports.extensionId);
  ports.log.log('info', `The extension ${id} uses the API, version 1.`);
  return apiFor(ports, id);
});

function apiFor({ host, log, places }: ApiPorts, caller: string): SwitchboardApi {
  return Object.freeze({
    version: 1 as const,
    get servers() {
      return host.views.map(serverShape);
    },
    onDidChangeServers: guarded((listener) => {
      const tell = functionOf(listener, 'listener');
      return host.onDidChange(() => void tell());
    }),
    config: Object.freeze({
      get serverNames() {
        return [...new Set(host.views.map(({ definition }) => definition.name))];
      },
      get hasServers() {
        return host.views.length > 0;
      },
      get problems() {
        return host.problems.map(problemShape);
      },
      getAsJson: guardedAsync(async (scope) => (await import('./configAccess.ts')).getAsJson(places, scope)),
      setFromJson: guardedAsync(async (scope, text) => {
        const { setFromJson } = await import('./configAccess.ts');
        return setFromJson({ host, places, caller }, scope, text);
      }),
    } satisfies SwitchboardApi['config']),
    get tools() {
      return host.catalog.tools.map(toolShape);
    },
    searchTools: guardedAsync(async (query: string, options?: SearchOptions | null) =>
      (await import('./apiCalls.ts')).searchForExtension(host, query, options ?? {}),
    ),
    callTool: guardedAsync(async (name: string, args?: unknown, options?: CallOptions | null) =>
      (await import('./apiCalls.ts')).callForExtension({ host, caller }, name, args ?? {}, options ?? {}),
    ),
    registerServer: guarded((definition) => {
      const { name, transport, create } = checkDefinition(definition, caller);
      const id = host.servers.addForExtension({ id: caller, label: caller }, name, transport, create);
      log.log('info', `The extension ${caller} registered the server ${name} (${transport.type}).`);
      return Object.assign(
        toDisposable(() => host.servers.removeAdded(id)),
        { id },
      );
    }),
    registerHook: guarded((hook) => {
      const registered = host.calls.hooks.register(editorHook(hook, caller));
      log.log('info', `The extension ${caller} registered a hook (${hook.event}, ${hook.matcher ?? '*'}).`);
      return registered;
    }),
    onEvent: guarded((listener) => {
      const tell = functionOf(listener, 'listener');
      return host.calls.onDidHappen((event) => void tell(structuredClone(event)));
    }),
  } satisfies SwitchboardApi);
}

/** Whatever goes wrong reaches the other extension as a plain error with a code. */
function guarded<A extends unknown[], R>(run: (...args: A) => R): (...args: A) => R {
  return (...args) => {
    try {
      return run(...args);
    } catch (error) {
      throw apiError(error);
    }
  };
}

function guardedAsync<A extends unknown[], R>(run: (...args: A) => Promise<R>): (...args: A) => Promise<R> {
  return async (...args) => {
    try {
      return await run(...args);
    } catch (error) {
      throw apiError(error);
    }
  };
}
