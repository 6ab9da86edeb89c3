export function ensurePackages(): Promise<void>;
export function installPackages(): Promise<void>;
export function ensureChromium(): Promise<string>;
export function aptInstall(packages: readonly string[]): Promise<boolean>;
