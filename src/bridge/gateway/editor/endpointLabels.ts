/** An endpoint, as far as its label goes. */
export interface LabelledEndpoint {
  /** The configured name. */
  readonly serverName: string;
  /** What the endpoint says that it is called. */
  readonly infoName: string;
}

/**
 * The label of each server in the editor's list, unique whatever the case: its configured name, so that it takes the
 * place of the editor's own server of that name. An older editor makes tool names of the label, so there it is what the
 * endpoint is called, which no server of the editor's own is.
 * @param namesFromServers see `takesNamesFromServers`
 */
export function labelsFor<T extends LabelledEndpoint>(
  endpoints: readonly T[],
  namesFromServers: boolean,
): ReadonlyMap<T, string> {
  const taken = new Set<string>();
  const labels = new Map<T, string>();
  for (const endpoint of endpoints) {
    const { serverName, infoName } = endpoint;
    const first = namesFromServers ? serverName : infoName;
    let label = first;
    for (let number = 2; taken.has(label.toLowerCase()); number += 1) label = `${first} (Switchboard ${number})`;
    taken.add(label.toLowerCase());
    labels.set(endpoint, label);
  }
  return labels;
}
