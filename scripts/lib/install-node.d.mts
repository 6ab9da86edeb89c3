export function ensureNodeProgram(folder: string, platform?: string, arch?: string): Promise<void>;
export function installNodeProgram(folder: string): Promise<void>;
