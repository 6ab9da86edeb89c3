import { say } from '../../../base/say.ts';
import { domainToUnicode } from 'node:url';
import { replaceVariables } from '../../../config/variables/variableSyntax.ts';
import { isDisguised, oddLetters } from '../lookAlikeNames.ts';

/** Who gets what is sent to an address. */
export interface Receiver {
  /** The address as it is requested, in ASCII; variables as written. */
  readonly address: string;
  /** The host with its port; the whole address where only its variables tell. */
  readonly host: string;
  /** What the host looks like and isn't, as a sentence. */
  readonly warning?: string;
}

/** The receiver as the parser of addresses finds it, which a reader may not. */
export function receiverOf(url: string): Receiver {
  const markers = new Map<string, string>();
  const filled = replaceVariables(url, (variable, before) => {
    // What stands for a variable has to fit its place, and must not be in the address already.
    const isPort = /:\/\/[^/?#]*:$/.test(before);
    let marker = isPort ? '49100' : 'zvz';
    while (url.toLowerCase().includes(marker) || markers.has(marker))
      marker = isPort ? String(Number(marker) + 1) : `${marker}vz`;
    markers.set(marker, variable);
    return marker;
  });
  if (!/^[a-z]+:\/\//i.test(filled) || !URL.canParse(filled)) return { address: url, host: url };
  const longestFirst = [...markers].toSorted(([one], [other]) => other.length - one.length);
  const restored = (text: string): string =>
    longestFirst.reduce((rest, [marker, variable]) => rest.replaceAll(marker, () => variable), text);
  const { href, host, hostname } = new URL(filled);
  const same = href === filled || href === `${filled}/`;
  return { address: same ? url : restored(href), host: restored(host), ...warningAbout(hostname) };
}

function warningAbout(hostname: string): Pick<Receiver, 'warning'> {
  const reads = domainToUnicode(hostname);
  if (reads === '' || reads === hostname) return {};
  const scripts = oddLetters(reads).flatMap((odd) => (odd.kind === 'scripts' ? odd.scripts : []));
  const host = { verbatim: hostname };
  const name = { verbatim: reads };
  if (scripts.length > 0)
    return {
      warning: say`The host ${host} reads as “${name}”, which mixes letters of different scripts (${scripts.join(', ')}).`,
    };
  return {
    warning: isDisguised(reads)
      ? say`The host ${host} reads as “${name}”, in letters that look like others.`
      : say`The host ${host} reads as “${name}”.`,
  };
}
