import { connect, checkServerIdentity, type PeerCertificate } from 'node:tls';
import { oneLine } from '../../base/text/showInvisible.ts';
import { OTHER_CERTIFICATE } from './pinnedFetch.ts';
import { say } from '../../base/say.ts';

/** What can be wrong with a certificate. */
export type CertificateFault =
  'self-signed' | 'unknown-authority' | 'wrong-name' | 'expired' | 'not-yet-valid' | 'revoked' | 'not-the-one';

/** OpenSSL's codes, as Node gives them, and Chromium's, as the editor's own network stack may. */
const FAULTS: Readonly<Record<string, CertificateFault>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'unknown-authority',
  UNABLE_TO_GET_ISSUER_CERT: 'unknown-authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'unknown-authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'unknown-authority',
  CERT_UNTRUSTED: 'unknown-authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'wrong-name',
  HOSTNAME_MISMATCH: 'wrong-name',
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'not-yet-valid',
  CERT_REVOKED: 'revoked',
  [OTHER_CERTIFICATE]: 'not-the-one',
  ERR_CERT_AUTHORITY_INVALID: 'unknown-authority',
  ERR_CERT_COMMON_NAME_INVALID: 'wrong-name',
  ERR_CERT_DATE_INVALID: 'expired',
  ERR_CERT_REVOKED: 'revoked',
};

/** The fault that a failure of `fetch` is about; `undefined` where it is about something else. */
export function certificateFaultOf(code: string | undefined, message: string): CertificateFault | undefined {
  const named = code ?? /net::(ERR_CERT_\w+)/.exec(message)?.[1];
  return named !== undefined && Object.hasOwn(FAULTS, named) ? FAULTS[named] : undefined;
}

/** What a server's certificate says. Hostile as all that comes from a server. */
export interface CertificateFacts {
  /** e.g. `example.com`, `*.example.com`, `127.0.0.1`. */
  readonly names: readonly string[];
  readonly issuer: string;
  readonly isSelfSigned: boolean;
  /** Milliseconds since the epoch. */
  readonly validFrom: number;
  readonly validTo: number;
  /** The certificate isn't for the host that was asked for. */
  readonly isOfOtherHost: boolean;
  /** SHA-256, 64 hexadecimal digits in upper case, for `tls` of an entry; absent where that isn't read. */
  readonly fingerprint?: string;
}

const LOOK_MS = 3000;
const MAX_NAMES = 5;

/**
 * Looks at a server's certificate, which a failed connection says only one fault of. Nothing is sent to the server.
 * @returns `undefined` where it can't be reached directly
 */
export function lookAtCertificate(url: URL): Promise<CertificateFacts | undefined> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port: Number(url.port || 443),
      rejectUnauthorized: false,
      ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }),
    });
    const end = (facts: CertificateFacts | undefined): void => {
      socket.destroy();
      resolve(facts);
    };
    socket.setTimeout(LOOK_MS, () => end(undefined));
    socket.once('error', () => end(undefined));
    socket.once('secureConnect', () => end(factsOf(socket.getPeerCertificate(), host, url.protocol === 'https:')));
  });
}

function factsOf(certificate: PeerCertificate, host: string, canBePinned: boolean): CertificateFacts | undefined {
  // A server may have none.
  if (!certificate.valid_to) return undefined;
  const { subject, issuer, subjectaltname = '', valid_from: from, valid_to: to } = certificate;
  const names = subjectaltname.split(', ').map((name) => name.replace(/^(?:DNS|IP Address):/, ''));
  return {
    names: names.filter((name) => name !== ''),
    issuer: String(issuer.CN ?? issuer.O ?? ''),
    isSelfSigned: JSON.stringify(subject) === JSON.stringify(issuer),
    validFrom: Date.parse(from),
    validTo: Date.parse(to),
    isOfOtherHost: checkServerIdentity(host, certificate) !== undefined,
    ...(canBePinned ? { fingerprint: certificate.fingerprint256.replaceAll(':', '') } : {}),
  };
}

/**
 * What to tell of a certificate: every fault, and how to trust it or what else to do. Pure.
 * @param host of the server, with its port
 * @param fault that the connection failed with
 * @param now milliseconds since the epoch
 */
export function certificateTexts(
  host: string,
  fault: CertificateFault,
  facts: CertificateFacts | undefined,
  now: number,
): { readonly message: string; readonly remedy: string } {
  if (fault === 'not-the-one')
    return {
      message: say`The certificate of ${host} isn't the one that the entry trusts.`,
      remedy: say`Ask the server’s owner whether it was replaced. If so, correct the fingerprint: ${pinOf(facts)}.`,
    };
  const faults = new Set<CertificateFault>([fault]);
  if (facts?.isSelfSigned && fault === 'unknown-authority') faults.add('self-signed').delete(fault);
  if (facts?.isOfOtherHost) faults.add('wrong-name');
  if (facts && facts.validTo < now) faults.add('expired');
  if (facts && facts.validFrom > now) faults.add('not-yet-valid');
  const said = [...faults].map((each) => words(each, facts)).join(', and ');
  return { message: say`The certificate of ${host} isn't trusted: it ${said}.`, remedy: remedyFor(faults, facts) };
}

function words(fault: CertificateFault, facts: CertificateFacts | undefined): string {
  switch (fault) {
    case 'self-signed':
      return say`is self-signed`;
    case 'unknown-authority':
      return say`is signed by an authority that isn’t known here${facts?.issuer ? ` (${oneLine(facts.issuer)})` : ''}`;
    case 'wrong-name':
      return say`is for ${namesText(facts)}`;
    case 'expired':
      return `expired${facts ? ` on ${dayOf(facts.validTo)}` : ''}`;
    case 'not-yet-valid':
      return say`isn’t valid yet${facts ? say`, but from ${dayOf(facts.validFrom)}` : ''}`;
    case 'revoked':
      return say`was revoked`;
    case 'not-the-one':
      return say`isn’t the one that the entry trusts`;
  }
}

function namesText(facts: CertificateFacts | undefined): string {
  if (!facts || facts.names.length === 0) return say`another host`;
  const shown = facts.names.slice(0, MAX_NAMES).map(oneLine).join(', ');
  return say`${shown}${facts.names.length > MAX_NAMES ? say` and others` : ''}, not for this host`;
}

function dayOf(time: number): string {
  return Number.isNaN(time) ? say`an unknown day` : new Date(time).toISOString().slice(0, 10);
}

/** What an entry has that trusts it. */
function pinOf(facts: CertificateFacts | undefined): string {
  return `"tls": { "fingerprint": "${facts?.fingerprint ?? '…'}" }`;
}

function remedyFor(faults: ReadonlySet<CertificateFault>, facts: CertificateFacts | undefined): string {
  if (faults.has('revoked') || faults.has('expired')) return say`The owner of the server must renew it.`;
  if (faults.has('not-yet-valid')) return say`Check the date of this computer.`;
  const pin =
    facts?.fingerprint === undefined
      ? ''
      : say` Or, if its owner confirms the fingerprint, trust it alone: ${pinOf(facts)} in the entry.`;
  const trust = faults.has('self-signed') ? say`To trust it, add it` : say`To trust the authority, add its certificate`;
  if (faults.has('self-signed') || faults.has('unknown-authority')) {
    const name = faults.has('wrong-name') ? say` And use a host name that it is for.` : '';
    return say`${trust} to the system’s certificates, or start the editor with NODE_EXTRA_CA_CERTS set to its file.${name}${pin}`;
  }
  return say`Use a host name that it is for in the URL.${pin}`;
}
