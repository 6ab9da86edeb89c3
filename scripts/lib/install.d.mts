export function ensurePackages(): Promise<void>;
export function installWithoutScripts(): Promise<void>;
export function ensureChromium(): Promise<string>;
export function aptInstall(packages: readonly string[]): Promise<boolean>;
