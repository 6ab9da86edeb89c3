/** What the setting `toolPinning` may be. */
export const PINNING_MODES = ['off', 'warn', 'block'] as const;
export type PinningMode = (typeof PINNING_MODES)[number];

/** What a server's instructions are pinned as, beside its tools. */
export const INSTRUCTIONS = 'instructions of the server';
