// Loaded with the first spans that are sent: it alone needs `@opentelemetry`.
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import type { Span } from './span.ts';

type OtlpSpan = Parameters<typeof ProtobufTraceSerializer.serializeRequest>[0][number];

const KINDS = { internal: SpanKind.INTERNAL, server: SpanKind.SERVER, client: SpanKind.CLIENT };
const SAMPLED = 1;
const NO_TIME = [0, 0] as [number, number];

/** The body of a request that exports spans by OTLP, as protobuf (`ExportTraceServiceRequest`). */
export function otlpBody(spans: readonly Span[], version: string): Uint8Array {
  const name = 'mcp-switchboard';
  const resource = { attributes: { 'service.name': name, 'service.version': version } };
  const made = spans.map((span) => otlpSpan(span, resource as unknown as OtlpSpan['resource'], { name, version }));
  const body = ProtobufTraceSerializer.serializeRequest(made);
  if (!body) throw new Error('The spans can’t be written.');
  return body;
}

function otlpSpan(
  span: Span,
  resource: OtlpSpan['resource'],
  instrumentationScope: OtlpSpan['instrumentationScope'],
): OtlpSpan {
  const { context, parentId, startMs, endMs } = span;
  const parent = { ...contextOf(context, parentId ?? ''), isRemote: span.isParentRemote === true };
  return {
    name: span.name,
    kind: KINDS[span.kind],
    spanContext: () => contextOf(context, context.spanId),
    ...(parentId === undefined ? {} : { parentSpanContext: parent }),
    startTime: timeOf(startMs),
    endTime: timeOf(endMs),
    duration: NO_TIME,
    ended: true,
    status: { code: span.isError ? SpanStatusCode.ERROR : SpanStatusCode.UNSET },
    attributes: { ...span.attributes },
    links: [],
    events: [],
    resource,
    instrumentationScope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

function contextOf({ traceId, state }: Span['context'], spanId: string): ReturnType<OtlpSpan['spanContext']> {
  const kept = { serialize: () => state ?? '' } as NonNullable<ReturnType<OtlpSpan['spanContext']>['traceState']>;
  return { traceId, spanId, traceFlags: SAMPLED, ...(state === undefined ? {} : { traceState: kept }) };
}

/** Seconds and nanoseconds. */
function timeOf(ms: number): [number, number] {
  const seconds = Math.floor(ms / 1_000);
  return [seconds, Math.round((ms - seconds * 1_000) * 1_000_000)];
}
