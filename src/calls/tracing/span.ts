import { randomBytes } from 'node:crypto';
import { oneLine } from '../../base/text/showInvisible.ts';
import type { TraceContext } from './traceContext.ts';

/** What is told of a span beside its name and its time. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** Something that took time. Never has arguments, results, or texts of errors. */
export interface Span {
  readonly context: TraceContext;
  /** The id of the span that it is part of. */
  readonly parentId?: string;
  /** That span is another program's. */
  readonly isParentRemote?: true;
  readonly name: string;
  readonly kind: 'internal' | 'server' | 'client';
  /** Milliseconds since the epoch, with fractions. */
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  readonly isError: boolean;
}

/** The names are those of the semantic conventions for MCP and GenAI; where they have none, they begin with this. */
export const OWN = 'mcp_switchboard';

/** A name in a span: servers choose theirs. */
const MAX_NAME = 128;

/** A name as spans have it. */
export function shown(name: string): string {
  return oneLine(name.slice(0, MAX_NAME));
}

/** A new span of a trace; of a new one, where there is none. */
export function part(of: TraceContext | undefined): TraceContext {
  const spanId = randomBytes(8).toString('hex');
  return of ? { ...of, spanId } : { traceId: randomBytes(16).toString('hex'), spanId };
}

/** What a connection goes over. @param transport a type of the configuration's, or that of a session */
export function networkAttributes(transport: string | undefined): Record<string, string> {
  if (transport === 'stdio') return { 'network.transport': 'pipe' };
  if (transport === undefined || transport === 'in-process' || transport === 'sdk') return {};
  return { 'network.transport': 'tcp', 'network.protocol.name': transport === 'ws' ? 'websocket' : 'http' };
}
