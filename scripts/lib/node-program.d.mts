export const NODE_VERSION: string;
export function nodeProgramPackage(platform: string, arch: string): string;
export function nodeProgramFault(
  installed: Readonly<Record<string, { readonly version?: string; readonly integrity?: string }>>,
  platform: string,
  arch: string,
): string | undefined;
