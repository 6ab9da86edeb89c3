// The client under test of the conformance suite: the whole core, driven as the extension drives it.
// `node client.ts URL`, with MCP_CONFORMANCE_SCENARIO and MCP_CONFORMANCE_CONTEXT in the environment.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSkillForModel } from '../../src/bridge/lmTools/loadSkill.ts';
import type { JsonObject } from '../../src/base/json/json.ts';
import type { Session } from '../../src/connection/connectionTypes.ts';
import type { HostPorts } from '../../src/host/hostPorts.ts';
import { SharedSecrets, TestPerson } from '../support/signInRig.ts';
import { TestHost } from '../support/testHost.ts';
import { argumentsFor, context, fetchWithDiscover, scenario } from './scenario.ts';

const url = process.argv.at(-1) ?? '';
const isAuth = scenario.startsWith('auth/');
const say = (line: string): boolean => process.stderr.write(`${line}\n`);

const requests: NonNullable<HostPorts['requests']> = {
  elicit: async () => ({ action: 'accept', content: scenario.startsWith('sep-2322') ? { confirmed: true } : {} }),
  ...(scenario === 'request-metadata' ? { sample: async () => ({}) } : {}),
};

/** The requests beside tools whose headers are looked at. */
async function readAndPrompt(live: Session): Promise<void> {
  const firstOf = async (method: string, list: string): Promise<JsonObject | undefined> => {
    const result = await live.request(method, {}, 10_000);
    return (result[list] as readonly JsonObject[])[0];
  };
  const resource = await firstOf('resources/list', 'resources');
  if (resource) await live.request('resources/read', { uri: resource['uri'] ?? '' }, 10_000);
  const prompt = await firstOf('prompts/list', 'prompts');
  if (prompt) await live.request('prompts/get', { name: prompt['name'] ?? '', arguments: {} }, 10_000);
}

/** Lists the skills, and loads the first with its other file, as `mcp_load_skill` does. */
async function useSkills(loads: boolean): Promise<void> {
  const { signal } = new AbortController();
  const load = async (input: JsonObject): Promise<void> => {
    const [part] = await loadSkillForModel(rig.host, { input, signal, surfaceContext: undefined });
    say(part?.kind === 'text' ? part.text : 'no text');
  };
  await load({});
  if (!loads) return;
  try {
    await load({ skill: 'pdf-processing' });
    await load({ skill: 'pdf-processing', file: 'references/FORMS.md' });
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
  }
}

const rig = new TestHost({
  settings: { callTimeoutMs: 20_000 },
  ports: {
    serverLog: () => ({ log: (level, message) => void say(`${level}: ${message}`) }),
    fetch: fetchWithDiscover,
    requests,
    ...(isAuth
      ? {
          signIn: async () => ({
            ...new TestPerson().portsWith(new SharedSecrets()),
            clientMetadataUrl: () => 'https://conformance-test.local/client-metadata.json',
          }),
        }
      : {}),
  },
});

/** What a person writes into the entry. */
function oauthEntry(): object {
  if (scenario.startsWith('auth/dpop')) return { oauth: { dpop: true } };
  const { client_id: clientId, client_secret: clientSecret, private_key_pem: privateKey } = context;
  if (clientId === undefined) return {};
  const client = { clientId, clientSecret };
  if (scenario.startsWith('auth/client-credentials'))
    return { oauth: { ...client, grant: 'client_credentials', privateKey, algorithm: context.signing_algorithm } };
  if (scenario === 'auth/wif-jwt-bearer')
    return { oauth: { ...client, grant: 'jwt_bearer', assertion: context.valid_jwt } };
  if (scenario !== 'auth/enterprise-managed-authorization') return { oauth: client };
  const { idp_client_id: idpClientId, idp_id_token: idToken, idp_token_endpoint: idpTokenUrl } = context;
  return { oauth: { ...client, grant: 'cross_app_access', idpClientId, idToken, idpTokenUrl } };
}

/** A person signs in, once, wherever that is the way out. */
async function signIn(): Promise<boolean> {
  const { host } = rig;
  const state = host.pool.all[0]?.state;
  if (state?.kind !== 'needs-auth' || !state.failure.canSignIn) return false;
  try {
    const account = await host.signIns.signIn(host.pool.all[0]?.id ?? '');
    say(`signed in as ${account.label}`);
  } catch (error) {
    say(`signing in: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
  await rig
    .until(() => {
      const now = host.pool.all[0]?.state;
      return now?.kind === 'connected'
        ? now.listError === undefined
        : now?.kind === 'needs-auth' || now?.kind === 'failed';
    }, 10_000)
    .catch(() => undefined);
  return true;
}

rig.answer = 'session';
writeFileSync(
  join(rig.folder, '.mcp.json'),
  JSON.stringify({ mcpServers: { server: { type: 'http', url, ...oauthEntry() } } }),
);
await rig.host.start();
await rig.approveAll();
// A server may move to another authorization server meanwhile.
if (isAuth && (await signIn())) await signIn();
const connection = rig.host.pool.all[0];
say(`${connection?.state.kind}: ${JSON.stringify(connection?.state)}`);
const tools = rig.host.catalog.tools;
const listed = tools.map(({ tool }) => tool);
const calls = context.toolCalls ?? listed.map((tool) => ({ name: tool.name, arguments: argumentsFor(tool, listed) }));
for (const call of calls) {
  const name = tools.find(({ tool }) => tool.name === call.name)?.name ?? call.name;
  const { signal } = new AbortController();
  const broker = (): Promise<unknown> => rig.host.broker.call({ name, args: call.arguments, surface: 'test', signal });
  try {
    await broker().catch(async (error: unknown) => {
      await rig.host.settled();
      if (!isAuth || !(await signIn())) throw error;
      return broker();
    });
    say(`${name}: answered`);
  } catch (error) {
    say(`${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
if (scenario.startsWith('sep-2640')) await useSkills(scenario !== 'sep-2640-client-no-prefetch');
if (scenario === 'http-standard-headers') await readAndPrompt(connection?.session as Session);
await rig.stop();
