import type { ResourceContent } from './contents.ts';

/** What a document shows of a resource: its only part as it is; of several, the texts, each below its address. */
export function documentBytes(contents: readonly ResourceContent[]): Uint8Array {
  const [only, ...rest] = contents;
  if (!only) return new Uint8Array();
  if (rest.length === 0) return only.kind === 'text' ? Buffer.from(only.text, 'utf8') : only.data;
  const texts = contents.map((content) => {
    const { uri, mimeType = 'application/octet-stream' } = content;
    return content.kind === 'text'
      ? `── ${uri}\n${content.text}`
      : `── ${uri}\n(${mimeType}, ${content.data.length} bytes)`;
  });
  return Buffer.from(texts.join('\n\n'), 'utf8');
}
