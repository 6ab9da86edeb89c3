import { DEFAULT_CALL_SETTINGS, type CallSettings } from '../calls/callSettings.ts';
import type { ConfigSnapshot } from '../config/configTypes.ts';
import type { HostPorts } from './hostPorts.ts';

/**
 * The surroundings of calls, with the rules that files of servers have beside them (`.claude/settings.json`) after the
 * settings' own. The list is the same for as long as nothing changes, since what is made of it is kept with it.
 */
export function withFileRules(
  calls: HostPorts['calls'],
  snapshot: () => ConfigSnapshot,
): NonNullable<HostPorts['calls']> & { readonly settings: () => CallSettings } {
  let made:
    | { readonly from: CallSettings['rules']; readonly snapshot: ConfigSnapshot; readonly rules: CallSettings['rules'] }
    | undefined;
  const settings = (): CallSettings => {
    const own = calls?.settings?.() ?? DEFAULT_CALL_SETTINGS;
    const now = snapshot();
    if (made?.from !== own.rules || made.snapshot !== now) {
      const further = now.results.flatMap(({ toolRules = [] }) => toolRules);
      made = { from: own.rules, snapshot: now, rules: further.length === 0 ? own.rules : [...own.rules, ...further] };
    }
    return made.rules === own.rules ? own : { ...own, rules: made.rules };
  };
  return { ...calls, settings };
}
