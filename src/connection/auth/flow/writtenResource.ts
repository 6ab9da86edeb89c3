type Sdk = typeof import('../../protocol/sdk.ts');

/**
 * The resource to ask for, as it is written: `URL` adds a slash to a bare origin, and authorization servers compare texts.
 * @param own the definition's, in place of the one that the server names
 * @returns what the SDK takes: rejects where the server names another server's resource (RFC 9728, section 3.3)
 */
export function resourceOf(
  sdk: Sdk,
  own: string | undefined,
): (serverUrl: string | URL, told?: string) => Promise<URL | undefined> {
  return async (serverUrl, told) => {
    if (own !== undefined) return asWritten(own);
    if (told === undefined) return undefined;
    if (!sdk.checkResourceAllowed({ requestedResource: serverUrl, configuredResource: told }))
      throw new Error(`Protected resource ${told} does not match expected ${String(serverUrl)} (or origin)`);
    return asWritten(told);
  };
}

function asWritten(written: string): URL {
  return Object.defineProperty(new URL(written), 'href', { value: written });
}
