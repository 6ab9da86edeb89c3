/** What several tools, resources and prompts of the conformance server give. */
export const RED_PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
/** Eight samples of silence. */
export const SILENCE = 'UklGRiwAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQgAAACAgICAgICAgA==';

export interface TextBlock {
  readonly [key: string]: unknown;
  readonly type: 'text';
  readonly text: string;
}

export function text(value: string): TextBlock {
  return { type: 'text', text: value };
}

export const image = { type: 'image' as const, data: RED_PIXEL, mimeType: 'image/png' };
export const audio = { type: 'audio' as const, data: SILENCE, mimeType: 'audio/wav' };

export interface EmbeddedResource {
  readonly [key: string]: unknown;
  readonly type: 'resource';
  readonly resource: { readonly uri: string; readonly mimeType: string; readonly text: string };
}

export function embedded(uri: string, mimeType: string, content: string): EmbeddedResource {
  return { type: 'resource', resource: { uri, mimeType, text: content } };
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
