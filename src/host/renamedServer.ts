// Loaded with the first server that is renamed.
import { join } from 'node:path';
import { messageOf } from '../base/errors.ts';
import type { KeyValueStore } from '../base/keyValueStore.ts';
import { RuleOwners } from '../calls/policy/rules/ruleOwners.ts';
import { ChosenAccounts } from '../connection/auth/chosenAccounts.ts';
import { NOTHING_KEPT } from '../connection/auth/grants/accountGrants.ts';
import { GrantStore } from '../connection/auth/grants/grantStore.ts';
import { DecisionStore } from '../servers/trust/decisionStore.ts';
import type { ServerDefinition } from '../servers/serverTypes.ts';
import type { Host } from './host.ts';
import type { HostPorts } from './hostPorts.ts';
import { signInBinding } from './signIn/signInBinding.ts';

/** What is kept of each server by its id, in the store of what servers listed. */
const LISTED = ['pins/', 'promptPins/', 'skillPins/', 'catalog/'];

type MovePorts = Pick<HostPorts, 'store' | 'toolStore' | 'signIn' | 'clock' | 'platform' | 'stateDir' | 'log'>;

/**
 * Lets everything that was decided about a server, and is remembered of it, go with it to its new name: approval, whether it is
 * off, grants, owners of rules, pins of tools, prompts and skills, answers to its inputs, sign-ins. Only for a server that runs the same
 * as before.
 * @throws the first failure, which is logged, too
 */
export async function moveServerState(
  ports: MovePorts,
  { grants, values, servers }: Host,
  from: ServerDefinition,
  to: ServerDefinition,
): Promise<void> {
  const { store } = ports;
  const toolStore: KeyValueStore = ports.toolStore ?? store;
  // Whatever of it fails, the rest is moved.
  const [signIn] = await Promise.allSettled([moveSignIn(ports, from, to)]);
  const decisions = new DecisionStore(store);
  const approvals = new Map(decisions.approvals());
  const approval = approvals.get(from.id);
  approvals.delete(from.id);
  const off = new Set(decisions.disabled());
  const wasOff = off.delete(from.id);
  const written = Promise.allSettled([
    ...LISTED.map((prefix) => moveKey(toolStore, prefix + from.id, prefix + to.id)),
    new RuleOwners(store).rename({ ...from, serverId: from.id }, { ...to, serverId: to.id }),
    grants.moveServer(from.id, { serverId: to.id, serverName: to.name }),
    decisions.setApprovals(approval ? approvals.set(to.id, approval) : approvals),
    decisions.setDisabled(wasOff ? off.add(to.id) : off),
  ]);
  const [answers] = await Promise.allSettled([moveAnswers(values, from, to)]);
  servers.refresh();
  const failed = [signIn, answers, ...(await written)].find(({ status }) => status === 'rejected');
  if (failed?.status !== 'rejected') return;
  ports.log.log('error', `${from.name} → ${to.name}: ${messageOf(failed.reason)}`);
  throw failed.reason;
}

async function moveAnswers(values: Host['values'], from: ServerDefinition, to: ServerDefinition): Promise<void> {
  for (const input of from.entry.inputs ?? []) {
    const [answers, bound, key, secrets] = values?.keptAt(from.entry, input) ?? [];
    const [, newBound = '', newKey] = values?.keptAt(to.entry, input) ?? [];
    if (!answers || key === undefined || newKey === undefined || newKey === key) continue;
    const answer = answers.get(bound + key);
    if (answer) answers.set(newBound + newKey, answer);
    const kept = await secrets?.get(key);
    if (kept !== undefined) await secrets?.set(newKey, kept);
    await secrets?.set(key, undefined);
  }
}

async function moveKey(store: KeyValueStore, from: string, to: string): Promise<void> {
  // What can't be read is known to be there under the new name, too: it isn't as if nothing had been approved.
  const value = store.get(from) ?? (store.isUnreadable?.(from) === true ? null : undefined);
  if (value === undefined) return;
  await store.set(to, value);
  await store.set(from, undefined);
}

/** Of a server that others define, the tokens are for its entry alone, and the entry goes by its name. */
async function moveSignIn(
  { signIn, store, clock, platform, stateDir }: MovePorts,
  from: ServerDefinition,
  to: ServerDefinition,
): Promise<void> {
  const [binding, next] = [signInBinding(from), signInBinding(to)];
  if (!signIn || !('url' in from.entry.transport) || binding === next) return;
  const folder = stateDir === undefined ? undefined : join(stateDir, 'sign-in');
  const grants = new GrantStore({ secrets: (await signIn()).secrets, folder, clock, platform });
  const kept = await grants.read(binding);
  if (kept.grants.length === 0 && Object.keys(kept.registrations).length === 0) return;
  await grants.change(next, (present) => (present.grants.length > 0 ? present : kept));
  await new ChosenAccounts(store).move(binding, next);
  await grants.change(binding, () => NOTHING_KEPT);
}
