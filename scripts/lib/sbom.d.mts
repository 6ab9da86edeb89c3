export function sbom(build: { commit: string; seconds: number; checksum: string }): string;
export function licenceOf(license: string): object;
