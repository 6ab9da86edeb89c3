import { oneLine } from '../../../base/text/showInvisible.ts';
import { say } from '../../../base/say.ts';
import { membersOf, stringOf } from '../../syntax/configNode.ts';
import type { EntryReader } from '../entryReader.ts';

const FIX = say`Write \`"tls": { "fingerprint": "…" }\` with the SHA-256 fingerprint of the server’s certificate.`;

/**
 * Reads `tls`: the one certificate that is trusted at this address, whoever signed it, by its SHA-256 fingerprint.
 * @returns 64 hexadecimal digits, upper-case
 */
export function readTls(reader: EntryReader, url: string): { readonly fingerprint: string } | undefined {
  const node = reader.value('tls');
  if (!node || node.type === 'null') return undefined;
  for (const { key, keyNode } of membersOf(node))
    if (key !== 'fingerprint')
      reader.report(keyNode, 'unread-tls', 'warning', {
        message: say`\`${oneLine(key)}\` of \`tls\` isn’t read: a certificate is trusted by its fingerprint only.`,
        fix: FIX,
      });
  const place = membersOf(node).find(({ key }) => key === 'fingerprint')?.value;
  if (node.type === 'object' && !place) return undefined;
  const fingerprint = stringOf(place)
    ?.replace(/^\s*sha-?256[:/= ]\s*/i, '')
    .replaceAll(/[\s:]/g, '')
    .toUpperCase();
  if (fingerprint === undefined || !/^[0-9A-F]{64}$/.test(fingerprint)) {
    // Without it, another certificate would be trusted than the entry says.
    reader.report(place ?? node, 'invalid-fingerprint', 'error', {
      message: say`This is no SHA-256 fingerprint: it must have 64 hexadecimal digits.`,
      fix: FIX,
    });
    return undefined;
  }
  if (/^(?:http|ws|wss):/i.test(url))
    reader.report(node, 'unread-tls', 'warning', {
      message: say`\`tls\` is for \`https://\` only, so it has no effect here.`,
      fix: say`Remove it, or use an address that begins with \`https://\`.`,
    });
  return { fingerprint };
}
