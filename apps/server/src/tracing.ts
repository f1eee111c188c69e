/**
 * Traces (OpenTelemetry): what one request led to, through jobs and operations to the supervisor. Without a collector all
 * of this does nothing; `adapters/telemetry` makes it do something.
 */
import {
  type Attributes,
  type Context,
  context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'

const tracer = trace.getTracer('wakestone')

/** Where we are now, as W3C Trace Context writes it; undefined outside of a trace. */
export function traceparent(): string | undefined {
  const carrier: Record<string, string> = {}
  propagation.inject(context.active(), carrier, defaultTextMapSetter)
  return carrier['traceparent']
}

/** For log lines. */
export function traceIds(): { trace_id?: string; span_id?: string } {
  const at = trace.getSpanContext(context.active())
  return at === undefined ? {} : { trace_id: at.traceId, span_id: at.spanId }
}

const contextOf = (parent: string | null | undefined): Context =>
  parent == null ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, { traceparent: parent }, defaultTextMapGetter)

export function noteError(span: Span, error: unknown): void {
  span.recordException(error as Error)
  span.setStatus({ code: SpanStatusCode.ERROR, message: (error as Error).message })
}

type Traced = {
  kind?: SpanKind
  attributes?: Attributes
  /** Written elsewhere by `traceparent`; null: a trace of its own. Unset: it is a part of what is under way here. */
  parent?: string | null
}

/** Does something as a part of a trace, with a name of which there are few. */
export async function traced<Result>(
  name: string,
  { kind = SpanKind.INTERNAL, attributes = {}, parent }: Traced,
  does: (span: Span) => Promise<Result>,
): Promise<Result> {
  const within = parent === undefined ? context.active() : contextOf(parent)
  return tracer.startActiveSpan(name, { kind, attributes }, within, async (span) => {
    try {
      return await does(span)
    } catch (error) {
      noteError(span, error)
      throw error
    } finally {
      span.end()
    }
  })
}

/** Begins what a request is, with a trace of its own: what strangers say of theirs is not believed. */
export function beginRequestSpan(
  name: string,
  attributes: Attributes,
): { span: Span; run: (rest: () => void) => void } {
  const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, ROOT_CONTEXT)
  const within = trace.setSpan(ROOT_CONTEXT, span)
  return { span, run: (rest) => context.with(within, rest) }
}

export { type Span, SpanKind } from '@opentelemetry/api'
