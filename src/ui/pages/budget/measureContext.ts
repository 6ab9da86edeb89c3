import type * as vscode from 'vscode';
import { chooseNativeTools } from '../../../bridge/gateway/chooseNativeTools.ts';
import { ToolDefinitions } from '../../../bridge/gateway/listedTools.ts';
import { instructedServers } from '../../../bridge/instructedServers.ts';
import { smallestModel } from '../../../bridge/usableModels.ts';
import type { ContextStats } from '../../../catalog/exposure/contextStats.ts';
import { CountedContext } from '../../../catalog/exposure/countedContext.ts';
import { instructionsFor } from '../../../catalog/exposure/instructions.ts';
import type { ExposureDecision } from '../../../catalog/exposure/toolExposure.ts';
import { unavailableServers } from '../../../host/unavailableServers.ts';
import type { Host } from '../../../host/host.ts';
import { readGatewaySettings } from '../../../platform/settings/hostSettings.ts';

/** A model is asked once per text, and answers from another process: for more tools than this they are estimated. */
const MOST_COUNTED = 500;

/** What the tools cost of the context now. */
export interface MeasuredContext {
  readonly stats: ContextStats;
  /** How the agent gets the tools; absent: it gets none natively (setting `gateway.enabled`). */
  readonly decision: ExposureDecision | undefined;
  /** The name of the model that counted; absent: the tokens are estimated. */
  readonly countedBy: string | undefined;
}

/** Measures what tools cost, each once by each model. */
export class ContextMeter {
  readonly #host: Host;
  readonly #listed: ToolDefinitions;
  readonly #counted = new CountedContext();

  constructor(host: Host) {
    this.#host = host;
    this.#listed = new ToolDefinitions(host.catalog);
  }

  async measure(): Promise<MeasuredContext> {
    const { catalog, loaded } = this.#host;
    const { enabled, exposure: setting } = readGatewaySettings();
    const model = await smallestModel();
    const { tools } = catalog;
    const { decision, names } = chooseNativeTools({
      setting,
      contextTokens: model?.maxInputTokens,
      tools,
      tokensOf: (tool) => this.#listed.tokensOf(tool),
      loaded,
    });
    const counter = model && tools.length <= MOST_COUNTED && (await canCount(model)) ? model : undefined;
    const exposure = enabled ? decision.exposure : 'search';
    const instructions = instructionsFor(instructedServers(this.#host), exposure, unavailableServers(this.#host));
    const input = { tools, loaded: enabled ? names : new Set<string>(), instructions };
    const { stats, isCounted } = await this.#counted.stats(
      input,
      counter && { id: counter.id, count: async (text) => counter.countTokens(text) },
    );
    return {
      stats,
      decision: enabled ? decision : undefined,
      countedBy: isCounted ? counter?.name : undefined,
    };
  }
}

/** Some models can't count tokens, or not offline. */
async function canCount(model: vscode.LanguageModelChat): Promise<boolean> {
  try {
    return (await model.countTokens('one two three')) > 0;
  } catch {
    return false;
  }
}
