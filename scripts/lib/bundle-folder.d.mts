export function emptyBundleFolder(folder: string): void;
