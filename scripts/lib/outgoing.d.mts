export function outgoingIn(code: string): {
  readonly ways: readonly string[];
  readonly packages: readonly string[];
  readonly files: readonly string[];
  readonly addresses: readonly string[];
};
