import * as vscode from 'vscode';
import type { OutsideSettings } from '../../bridge/gateway/outside/outsideGateway.ts';
import { REVIEWS, type SamplingSettings } from '../../bridge/sampling/samplingSettings.ts';
import { DEFAULT_LOADING, type LoadingRules } from '../../catalog/exposure/loadedTools.ts';
import type { ExposureSetting } from '../../catalog/exposure/toolExposure.ts';
import { TOOL_NAME_FORMATS } from '../../catalog/names/toolNamePrefix.ts';
import { PINNING_MODES } from '../../catalog/pinningModes.ts';
import { SUMMARY_LIMIT } from '../../catalog/exposure/descriptions.ts';
import { START_MODES } from '../../config/configTypes.ts';
import { ENVIRONMENT_INHERITANCE } from '../../connection/connectionPoolPorts.ts';
import { DEFAULT_TIMINGS } from '../../connection/connectionTimings.ts';
import type { HostSettings } from '../../host/hostPorts.ts';
import { chosenNumber } from './chosenNumber.ts';
import { ownValues, type SetValues } from './ownSettings.ts';

const EXPOSURES: readonly ExposureSetting[] = ['auto', 'native', 'summaries', 'search'];

/**
 * The settings `mcpSwitchboard.*` of the host. Environment variables of other clients override the default, but not a value
 * in the settings.
 */
export function readHostSettings(): HostSettings {
  const own = ownValues();
  const setting = numbersOf(own);
  return {
    localConcurrency: setting(1, 'startup.localConcurrency', 3, 'MCP_SERVER_CONNECTION_BATCH_SIZE'),
    remoteConcurrency: setting(1, 'startup.remoteConcurrency', 20, 'MCP_REMOTE_SERVER_CONNECTION_BATCH_SIZE'),
    handshakeTimeoutMs: setting(100, 'timeouts.handshakeMs', 15_000, 'MCP_TIMEOUT'),
    discoveryTimeoutMs: setting(100, 'timeouts.discoveryMs', 15_000),
    callTimeoutMs: setting(100, 'timeouts.callMs', 60_000, 'MCP_TOOL_TIMEOUT'),
    startMode: START_MODES.find((mode) => mode === own('startMode')) ?? 'eager',
    environment: ENVIRONMENT_INHERITANCE.find((kind) => kind === own('environment')) ?? 'byScope',
    toolNameFormat: TOOL_NAME_FORMATS.find((format) => format === own('toolNameFormat')) ?? TOOL_NAME_FORMATS[0],
    toolPinning: PINNING_MODES.find((mode) => mode === own('toolPinning')) ?? 'warn',
    loading: readLoading(own),
    ring: { minutes: setting(0, 'recorder.minutes', 10), megabytes: setting(0, 'recorder.megabytes', 16) },
    tracing: own('tracing.endpoint'),
    timings: {
      installMs: setting(100, 'timeouts.installMs', DEFAULT_TIMINGS.installMs),
      slowStartMs: setting(0, 'startup.slowStartMs', DEFAULT_TIMINGS.slowStartMs),
      listDebounceMs: setting(0, 'listDebounceMs', DEFAULT_TIMINGS.listDebounceMs),
      keepAliveMs: setting(1_000, 'keepAliveMs', DEFAULT_TIMINGS.keepAliveMs),
      needsAuthMemoryMs: setting(0, 'needsAuthMemoryMs', DEFAULT_TIMINGS.needsAuthMemoryMs),
    },
    reconnect: {
      initialDelayMs: setting(10, 'reconnect.initialDelayMs', 1_000),
      maxDelayMs: setting(10, 'reconnect.maxDelayMs', 30_000),
      maxAttempts: setting(0, 'reconnect.maxAttempts', 5),
      healthyAfterMs: setting(0, 'reconnect.healthyAfterMs', 60_000),
    },
  };
}

function readLoading(own: SetValues): LoadingRules {
  const setting = numbersOf(own);
  return {
    alwaysLoad: globsIn(own('alwaysLoadTools')),
    searchOnly: globsIn(own('searchOnlyTools')),
    loadFound: own('loadFoundTools') === true,
    maxLoaded: setting(1, 'maxLoadedTools', DEFAULT_LOADING.maxLoaded),
  };
}

function globsIn(globs: unknown): readonly string[] {
  return Array.isArray(globs) ? globs.filter((glob) => typeof glob === 'string') : [];
}

/** The editor's settings about its own MCP support. */
export interface EditorMcpSettings {
  readonly access: string | undefined;
  readonly autostart: unknown;
}

export function readEditorMcpSettings(): EditorMcpSettings {
  const settings = vscode.workspace.getConfiguration('chat.mcp');
  return { access: settings.get<string>('access'), autostart: settings.get('autostart') };
}

/** How many requests the editor's agent makes per message before it asks whether to continue. */
export function readMaxSteps(): number {
  const steps = vscode.workspace.getConfiguration('chat.agent').get('maxRequests');
  return typeof steps === 'number' && steps >= 1 ? Math.floor(steps) : 25;
}

/** The settings about answers of the language model tools. */
export function readToolSettings(): {
  readonly maxToolsPerSearch: number;
  readonly summaryDescriptionLimit: number;
  readonly isGatewayEnabled: boolean;
  readonly exposesSummaries: boolean;
  /** Tools with a lower score are marked. */
  readonly toolQualityThreshold: number;
} {
  const own = ownValues();
  const setting = numbersOf(own);
  return {
    maxToolsPerSearch: setting(0, 'maxToolsPerSearch', 5),
    exposesSummaries: own('toolExposure') === 'summaries',
    isGatewayEnabled: own('gateway.enabled') !== false,
    summaryDescriptionLimit: setting(20, 'summaryDescriptionLimit', SUMMARY_LIMIT),
    toolQualityThreshold: setting(0, 'toolQualityThreshold', 40),
  };
}

/** The settings about tools in the agent's own list. */
export function readGatewaySettings(): {
  readonly enabled: boolean;
  /** Whether Agent Host sessions get the token of the endpoints, which the editor then stores. */
  readonly agentHostSessions: boolean;
  readonly exposure: ExposureSetting;
} {
  const own = ownValues();
  return {
    enabled: own('gateway.enabled') !== false,
    agentHostSessions: own('gateway.agentHostSessions') !== false,
    exposure: EXPOSURES.find((exposure) => exposure === own('toolExposure')) ?? 'auto',
  };
}

/** The settings about agents outside the editor. */
export function readOutsideSettings(): OutsideSettings {
  const own = ownValues();
  return {
    asksClients: own('gateway.outsideQuestions') === 'client',
    http: own('gateway.http') === true,
  };
}

/** The settings about servers that use models. */
export function readSamplingSettings(): SamplingSettings {
  const own = ownValues();
  const setting = numbersOf(own);
  return {
    enabled: own('sampling.enabled') !== false,
    requestsPerHour: Math.floor(setting(0, 'sampling.requestsPerHour', 60)),
    review: REVIEWS.find((review) => review === own('sampling.review')) ?? 'off',
    allowTools: own('sampling.allowTools') === true,
  };
}

type NumberSetting = (minimum: number, name: string, fallback: number, variable?: string) => number;

/** Settings that are numbers; `variable`: an environment variable with the default. */
function numbersOf(own: SetValues): NumberSetting {
  return (minimum, name, fallback, variable) =>
    chosenNumber({
      set: own(name),
      environment: variable === undefined ? undefined : process.env[variable],
      fallback,
      minimum,
    });
}
