export interface WebpFrame {
  readonly webp: Buffer;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly ms: number;
}
export function animatedWebp(
  canvas: { readonly width: number; readonly height: number },
  frames: readonly WebpFrame[],
): Buffer;
