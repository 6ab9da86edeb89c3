import assert from 'node:assert/strict';
import path from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/log.ts';
import { OutsideAccess } from '../../src/bridge/gateway/outside/outsideAccess.ts';
import { SamplingConsents } from '../../src/bridge/sampling/samplingConsents.ts';
import { FailedCalls } from '../../src/calls/history/failedCalls.ts';
import { RuleOwners } from '../../src/calls/policy/rules/ruleOwners.ts';
import { TaskStore } from '../../src/calls/tasks/taskStore.ts';
import { CatalogCache } from '../../src/catalog/catalogCache.ts';
import { PinStore } from '../../src/catalog/toolPins.ts';
import { lastCopy, readCloud } from '../../src/config/sources/cloudServersCopy.ts';
import type { McpTool } from '../../src/connection/connectionTypes.ts';
import { ChosenAccounts } from '../../src/connection/auth/chosenAccounts.ts';
import type { Grant } from '../../src/connection/auth/grants/accountGrants.ts';
import { GrantStore } from '../../src/connection/auth/grants/grantStore.ts';
import { NeedsAuthMemory } from '../../src/connection/start/needsAuthMemory.ts';
import { signInBinding } from '../../src/host/signIn/signInBinding.ts';
import type { ServerDefinition } from '../../src/servers/serverTypes.ts';
import { readArrangement } from '../../src/ui/servers/tree/arrangeServers.ts';
import type { KeptState } from './keptState.ts';

/** Something that outlasts a window: how it comes about, and what of it is seen when the next window opens. */
interface KeptThing {
  readonly keep: (state: KeptState) => Promise<void>;
  readonly look: (state: KeptState) => unknown;
}

const CLOUD = 'https://cloud.example.com/servers';
const ISSUER = 'https://as.example.com';
const ITEMS = ['prompt', 'skill'] as const;
const MODEL = { modelId: 'm', modelName: 'Model', serverName: 'notes' };

function definitionOf({ rig: { host } }: KeptState, name: string): ServerDefinition {
  const definition = host.servers.definitions.find(({ entry }) => entry.name === name);
  assert.ok(definition, name);
  return definition;
}

function ownerOf(state: KeptState): { readonly serverId: string; readonly fingerprint: string } {
  const { id, fingerprint } = definitionOf(state, 'notes');
  return { serverId: id, fingerprint };
}

function grantsOf({ secrets, files }: KeptState): GrantStore {
  return new GrantStore({
    secrets,
    folder: path.join(files, 'sign-in'),
    clock: systemClock,
    platform: process.platform,
  });
}

function refusalsOf({ files, clock }: KeptState): NeedsAuthMemory {
  return new NeedsAuthMemory(path.join(files, 'needs-auth.json'), clock, process.platform, () => 900_000);
}

const GRANT: Grant = {
  id: 'g1',
  label: 'Ada',
  serverUrl: 'https://mcp.example.com/mcp',
  issuer: ISSUER,
  scopes: ['read'],
  via: {
    kind: 'oauth',
    client: { client_id: 'c1' },
    tokens: { access_token: 'token-of-the-fixture', token_type: 'Bearer' },
  },
};

/** Everything that is kept, by what the user calls it. */
export const KEPT_THINGS: Readonly<Record<string, KeptThing>> = {
  'approved and rejected servers': {
    keep: async (state) => {
      const { servers } = state.rig.host;
      await servers.approve([definitionOf(state, 'notes').id, definitionOf(state, 'off').id]);
      await servers.reject([definitionOf(state, 'rejected').id]);
      await state.rig.until(() => state.rig.host.pool.all.every(({ state: { kind } }) => kind === 'connected'));
    },
    look: ({ rig }) => rig.host.servers.definitions.map(({ entry, status }) => [entry.name, status]),
  },
  'disabled servers': {
    keep: async (state) => state.rig.host.servers.setDisabled(definitionOf(state, 'off').id, true),
    look: (state) => definitionOf(state, 'off').status,
  },
  'the MCP host': {
    keep: async ({ rig }) => rig.host.servers.setHosting('switchboard'),
    look: ({ rig }) => rig.host.servers.hosting,
  },
  'permissions of tools': {
    keep: async (state) => {
      const { grants } = state.rig.host;
      const key = { ...ownerOf(state), tool: 'write', pin: 'p' };
      await grants.grantAlways({ key, serverName: 'notes', at: 1 });
      await grants.grantAlways({ key, serverName: 'notes', at: 2, args: { text: 'this one' } });
    },
    look: ({ rig }) => rig.host.grants.all,
  },
  'servers that may reach the internet': {
    keep: async (state) => state.rig.host.grants.grantOpenWorld(ownerOf(state), true),
    look: (state) => state.rig.host.grants.hasOpenWorld(ownerOf(state)),
  },
  'whom a rule is for': {
    keep: async (state) => new RuleOwners(state.workspace).set('notes', ownerOf(state)),
    look: (state) => new RuleOwners(state.workspace).isFor('notes', ownerOf(state), () => true),
  },
  'plan mode and its calls': {
    keep: async ({ rig }) => {
      const { plan } = rig.host.calls;
      await plan.setOn(true);
      await plan.add({ at: 1, tool: 'mcp__notes__write', serverName: 'notes', args: { text: 'a' }, stamp: 's' });
    },
    look: ({ rig }) => [rig.host.calls.plan.on, rig.host.calls.plan.queue],
  },
  'whether models may run scripts': {
    keep: async ({ rig }) => (await rig.host.calls.scripts()).setOn(true),
    look: async ({ rig }) => (await rig.host.calls.scripts()).on,
  },
  'calls that failed': {
    keep: async (state) =>
      new FailedCalls(state.workspace, (text) => text).add({
        ...{ at: 1, tool: 'mcp__notes__write', serverName: 'notes', args: { text: 'a' } },
        ...{ error: 'The disk is full.', attempts: 3, stamp: 's' },
      }),
    look: (state) => new FailedCalls(state.workspace, (text) => text).all,
  },
  'calls that go on as tasks': {
    keep: async (state) =>
      new TaskStore(state.tasks).put({
        ...{ handle: 'task_1', owner: 'editor', surface: 'lm-tool', ...ownerOf(state), serverName: 'notes' },
        ...{ tool: 'mcp__notes__write', args: { text: 'a' }, task: { taskId: 't', form: 'core', ttlMs: 1_000 }, at: 1 },
        end: { at: state.clock.now(), outcome: { parts: [{ text: 'done' }] } },
      }),
    look: async (state) => {
      const store = new TaskStore(state.tasks);
      await store.open();
      return store.all.map(({ end, ...task }) => [task, end?.outcome]);
    },
  },
  'servers that may ask a model': {
    keep: async (state) => {
      const consents = new SamplingConsents(state.workspace);
      await consents.set({ ...ownerOf(state), ...MODEL, answer: 'always', at: 1 });
      consents.dispose();
    },
    look: (state) => new SamplingConsents(state.workspace).all,
  },
  'the preset in use': {
    keep: async ({ rig }) => {
      // Of all servers, so that what else is seen is the same with it.
      const entries = rig.host.servers.definitions.map(({ name }) => name);
      await (await rig.host.preset.choices()).choose({ name: 'everyday', scope: 'user', entries });
    },
    look: ({ rig }) => rig.host.preset.active?.kept,
  },
  'what was approved of prompts and skills': {
    keep: async (state) => {
      const { serverId, fingerprint } = ownerOf(state);
      const item: McpTool = {
        name: 'tidy',
        description: 'Tidies notes.',
        inputSchema: { type: 'object' },
        annotations: {},
      };
      for (const of of ITEMS) new PinStore(state.tools, of).examine(serverId, fingerprint, [item], 'warn');
    },
    look: (state) => {
      const { serverId, fingerprint } = ownerOf(state);
      return ITEMS.flatMap((of) => new PinStore(state.tools, of).pinnedOf(serverId, fingerprint));
    },
  },
  'names of tools': {
    keep: async () => {},
    look: ({ rig }) => rig.host.catalog.tools.map(({ name }) => name),
  },
  'what was approved of tools': {
    keep: async () => {},
    look: (state) => state.tools.get(`pins/${ownerOf(state).serverId}`),
  },
  'what servers listed': {
    keep: async () => {},
    look: (state) => {
      const { serverId, fingerprint } = ownerOf(state);
      const { savedAt, ...known } = new CatalogCache(state.tools, state.clock).load(serverId, fingerprint) ?? {};
      return [typeof savedAt, known];
    },
  },
  'the account of this workspace': {
    keep: async (state) => new ChosenAccounts(state.workspace).use(signInBinding(definitionOf(state, 'remote')), GRANT),
    look: async (state) =>
      (
        await new ChosenAccounts(state.workspace).of(signInBinding(definitionOf(state, 'remote')), {
          grants: [{ ...GRANT, id: 'other' }, GRANT],
          registrations: {},
        })
      )?.id,
  },
  'sign-ins': {
    keep: async (state) => {
      await grantsOf(state).change(signInBinding(definitionOf(state, 'remote')), () => ({
        grants: [GRANT],
        registrations: { [ISSUER]: { client: { client_id: 'c1' }, isGiven: true } },
      }));
    },
    look: async (state) => {
      const { grants, registrations } = await grantsOf(state).read(signInBinding(definitionOf(state, 'remote')));
      return { grants, registrations };
    },
  },
  'servers that refused': {
    keep: (state) => refusalsOf(state).note('key', 'HTTP 401'),
    look: (state) => refusalsOf(state).recall('key'),
  },
  'servers of the cloud': {
    keep: async (state) => {
      const ports = {
        fetch: async () => new Response('{"mcpServers":{}}', { headers: { etag: 'e' } }),
        store: state.profile,
        token: async () => undefined,
      };
      await readCloud(CLOUD, ports, systemClock, silentLogger);
    },
    look: (state) => lastCopy(CLOUD, state.profile),
  },
  'the order of the view': {
    keep: (state) => state.workspace.set('serversView', { isGrouped: false, sort: 'name', filter: 'notes' }),
    look: (state) => readArrangement(state.workspace.get('serversView')),
  },
  'access from outside': {
    keep: (state) => state.workspace.set('outsideAccess', true),
    look: (state) => {
      const open = async (): Promise<never> => Promise.reject(new Error('not in this test'));
      const access = new OutsideAccess({ log: silentLogger, store: state.workspace, open });
      const { isOn } = access;
      access.dispose();
      return isOn;
    },
  },
  // Read by classes that need the editor, which look for exactly this.
  'approved hooks': {
    keep: (state) => state.workspace.set('hooks.approved', 'a'.repeat(64)),
    look: (state) => state.workspace.get('hooks.approved'),
  },
  'servers taken over from the editor': {
    keep: (state) => state.workspace.set('takenFromEditor', ['workspace:notes']),
    look: (state) => state.workspace.get('takenFromEditor'),
  },
  'what the editor called them': {
    keep: (state) => state.workspace.set('takenFromEditor.copies', { 'workspace:notes': ['mcp.config.ws0.notes'] }),
    look: (state) => state.workspace.get('takenFromEditor.copies'),
  },
  'the editor’s own setting': {
    keep: (state) => state.profile.set('previousAutostart', { value: 'newAndOutdated' }),
    look: (state) => state.profile.get('previousAutostart'),
  },
};
