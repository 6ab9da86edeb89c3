export function sbom(build: { commit: string; seconds: number; checksum: string }): string;
