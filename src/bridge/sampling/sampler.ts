import * as vscode from 'vscode';
import { withTimeout } from '../../base/async.ts';
import type { Clock } from '../../base/clock.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { JsonObject } from '../../base/json/json.ts';
import type { CallsInProgress } from '../../calls/scheduling/callsInProgress.ts';
import type { KeyValueStore } from '../../base/keyValueStore.ts';
import type { AskingServer, ServerQuestion } from '../../connection/serverQuestionTypes.ts';
import type { InputTurns } from '../dialogs/inputTurns.ts';
import type { HourlyBudget } from './hourlyBudget.ts';
import { SamplingConsents } from './samplingConsents.ts';
import type { SamplingSettings } from './samplingSettings.ts';

export interface SamplerPorts {
  readonly clock: Clock;
  /** Of the workspace. */
  readonly store: KeyValueStore;
  readonly settings: () => SamplingSettings;
  /** Of a server's definition. */
  readonly fingerprintOf: (serverId: string) => string | undefined;
  readonly inProgress: () => CallsInProgress;
  /** Shared by all that asks in an input. */
  readonly turns: () => Promise<InputTurns>;
}

/** How long a connection waits to learn whether the editor has models, in milliseconds. */
const MODELS_WAIT_MS = 300;

/** Lets servers ask the editor's models, after the user's yes; what does it is loaded with the first request. */
export class Sampler implements Disposable {
  readonly consents: SamplingConsents;
  readonly #ports: SamplerPorts;
  #budget: HourlyBudget | undefined;
  readonly #disposables = new DisposableStore();
  #models: Promise<number> | undefined;

  constructor(ports: SamplerPorts) {
    this.#ports = ports;
    this.consents = this.#disposables.add(new SamplingConsents(ports.store));
    this.#disposables.add(vscode.lm.onDidChangeChatModels(() => (this.#models = undefined)));
  }

  /** The capability that a server is told of: none where its requests would all be refused. */
  async capabilityFor(server: AskingServer): Promise<JsonObject | undefined> {
    const { enabled, requestsPerHour, allowTools } = this.#ports.settings();
    if (!enabled || requestsPerHour < 1) return undefined;
    if (this.consents.refuses(server.id, this.#ports.fingerprintOf(server.id) ?? '')) return undefined;
    this.#models ??= countModels();
    // Models that are still on their way count as there.
    const count = await withTimeout(this.#models, MODELS_WAIT_MS, this.#ports.clock, () => 1);
    if (count === 0) this.#models = undefined;
    return count === 0 ? undefined : allowTools ? { tools: {} } : {};
  }

  /** Answers `sampling/createMessage`, or has the agent outside do it whose call it is about; what is refused or fails is thrown with a code of JSON-RPC. */
  async sample(question: ServerQuestion): Promise<JsonObject> {
    const [{ answerSampling, lacksModel, sampleInCall }, { HourlyBudget: Loaded }] = await Promise.all([
      import('./answerSampling.ts'),
      import('./hourlyBudget.ts'),
    ]);
    const { clock, settings, turns, fingerprintOf } = this.#ports;
    const { id } = question.server;
    const fingerprint = fingerprintOf(id) ?? '';
    const inProgress = this.#ports.inProgress();
    const isRefused = this.consents.refuses(id, fingerprint);
    // Not the editor's own client: it has no budget and no such review.
    const isOutside = inProgress.only(id)?.surface === 'outside';
    const answer = isOutside && !isRefused ? sampleInCall(question, inProgress, settings()) : undefined;
    if (answer) return answer;
    const budget = (this.#budget ??= new Loaded());
    return answerSampling(question, {
      settings: settings(),
      fingerprint,
      consents: this.consents,
      takeBudget: (limit) => budget.take(id, limit, clock.now()),
      turns: await turns(),
      asks: () => inProgress.only(id)?.onAskedElsewhere?.(),
      lacksModel: () => lacksModel(question, inProgress),
    });
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}

async function countModels(): Promise<number> {
  try {
    const { usableModels } = await import('../usableModels.ts');
    return (await usableModels()).length;
  } catch {
    return 0;
  }
}
