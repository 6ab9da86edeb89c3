import { AgentWindow, type AgentWindowOptions } from './agentWindow.ts';
import { withoutNpx } from './demoServers.ts';

/** What is only known when the hooks before have run is a function. */
export type Late<T extends object> = T | (() => T);

/**
 * For a mocha suite: opens one window before its tests, gives it to `use`, and closes it after them. A test that fails
 * leaves a screenshot. Call it first in `describe`.
 */
export function useAgentWindow(
  options: Late<AgentWindowOptions>,
  use: (window: AgentWindow) => void | Promise<void>,
): void {
  let window: AgentWindow | undefined;

  before(async function () {
    this.timeout(450_000);
    window = await AgentWindow.open(now(options));
    try {
      await use(window);
    } catch (error) {
      await window.screenshot(failureName(this.test?.parent?.fullTitle() ?? ''));
      throw error;
    }
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
  options: Late<HostedWindowOptions>,
  use: (window: AgentWindow) => void | Promise<void>,
): void {
  const late = (): AgentWindowOptions => {
    const given = now(options);
    const prepare = (folder: string): void => {
      withoutNpx(folder);
      given.prepare?.(folder);
    };
    return { ...given, prepare };
  };
  useAgentWindow(late, async (window) => {
    const { connected } = now(options);
    await window.useSwitchboard(connected);
    if (!connected?.startsWith('0/')) await window.handedOver();
    await use(window);
  });
}

function now<T extends object>(value: Late<T>): T {
  return typeof value === 'function' ? value() : value;
}

/** The name of the screenshot that a test leaves when it fails. */
export function failureName(title: string): string {
  return `failed-${title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 80)}`;
}
