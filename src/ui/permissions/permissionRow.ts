/** The groups of what is allowed and who said so, from above. */
export const PERMISSION_GROUPS = [
  'problems',
  'given',
  'proposed',
  'rules',
  'servers',
  'pins',
  'hooks',
  'models',
] as const;
export type PermissionGroup = (typeof PERMISSION_GROUPS)[number];

/** Something that lets calls run, or keeps them from it. All texts are safe to show on one line. */
export interface PermissionRow {
  readonly group: PermissionGroup;
  /** Differs from that of every other row of its group, and stays with what the row is about. */
  readonly key: string;
  readonly label: string;
  /** Source and scope. */
  readonly description: string;
  /** What is known of it: where it comes from, and why. */
  readonly facts: readonly (readonly [label: string, value: string])[];
  /** What a screen reader says. */
  readonly spoken: string;
  readonly icon: string;
  readonly color?: string;
  /** Takes it back. @returns what gives it back as it was */
  readonly revoke?: () => Promise<() => Promise<void>>;
  /** Shows where it is set, or what it is about. */
  readonly open?: () => Promise<void>;
}
