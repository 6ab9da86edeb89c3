export interface Layer {
  readonly name: string;
  readonly imports: readonly string[];
  readonly editor: boolean;
}
export const layers: readonly Layer[];
export function forbiddenFor(layer: Layer): readonly string[];
export function lintOverrides(): readonly unknown[];
export function filesWithoutEditor(): readonly string[];
