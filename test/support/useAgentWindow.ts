import { AgentWindow, type AgentWindowOptions } from './agentWindow.ts';
import { withoutNpx } from './demoServers.ts';

/**
 * For a mocha suite: opens one window before its tests, gives it to `use`, and closes it after them. A test that fails
 * leaves a screenshot. Call it first in `describe`.
 */
export function useAgentWindow(options: AgentWindowOptions, use: (window: AgentWindow) => void | Promise<void>): void {
  let window: AgentWindow | undefined;

  before(async function () {
    this.timeout(450_000);
    window = await AgentWindow.open(options);
    await use(window);
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await window?.screenshot(failureName(this.currentTest.fullTitle()));
  });

  after(async () => {
    await window?.close();
  });
}

export type HostedWindowOptions = AgentWindowOptions & { readonly connected?: string };

/** The same, with the demo's servers hosted. `connected` is what the status bar says then. */
export function useHostedWindow(
  { connected, ...options }: HostedWindowOptions,
  use: (window: AgentWindow) => void | Promise<void>,
): void {
  const prepare = (folder: string): void => {
    withoutNpx(folder);
    options.prepare?.(folder);
  };
  useAgentWindow({ ...options, prepare }, async (window) => {
    await window.useSwitchboard(connected);
    if (!connected?.startsWith('0/')) await window.handedOver();
    await use(window);
  });
}

function failureName(title: string): string {
  return `failed-${title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 80)}`;
}
