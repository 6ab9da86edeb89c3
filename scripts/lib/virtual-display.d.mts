export function lacksDisplay(platform: string, env: NodeJS.ProcessEnv): boolean;
export function runOnVirtualDisplay(file: string, args?: readonly string[]): Promise<number>;
