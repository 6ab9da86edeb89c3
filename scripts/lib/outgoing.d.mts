export function outgoingIn(code: string): {
  readonly ways: readonly string[];
  readonly packages: readonly string[];
};
