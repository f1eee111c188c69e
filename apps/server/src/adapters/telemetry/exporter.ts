/** Sends traces to a collector, in the background; one that is away or slow holds up nothing. */
import { context, propagation, trace } from '@opentelemetry/api'
import type { Logger } from '@wakestone/kit/logger'
import type { Settings } from '@wakestone/kit/settings'

type Telemetry = Pick<
  Settings,
  'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_EXPORTER_OTLP_HEADERS' | 'OTEL_TRACES_SAMPLER_ARG'
>

const nothing = { close: async () => {} }
const flushMilliseconds = 3_000

/** What it takes is loaded only where there is a collector. @param part `api`, `worker` */
export async function startTracing(
  {
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: headers,
    OTEL_TRACES_SAMPLER_ARG: share,
  }: Telemetry,
  { part, logger }: { part: string; logger: Logger },
): Promise<{ close(): Promise<void> }> {
  if (endpoint === undefined) return nothing
  const [sdk, { OTLPTraceExporter }, { AsyncLocalStorageContextManager }, { W3CTraceContextPropagator }, resources] =
    await Promise.all([
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/core'),
      import('@opentelemetry/resources'),
    ])
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    ...(headers !== undefined && { headers }),
  })
  const provider = new sdk.TracerProvider({
    resource: resources.resourceFromAttributes({ 'service.name': `wakestone-${part}`, 'process.pid': process.pid }),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(share) }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter, scheduledDelayMillis: 2_000 })],
  })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  trace.setGlobalTracerProvider(provider)
  logger.info({ endpoint, share }, 'traces are sent')
  return {
    async close() {
      const flushed = provider.shutdown().catch((error: unknown) => logger.warn({ error }, 'the last traces are lost'))
      await Promise.race([flushed, new Promise((resolve) => setTimeout(resolve, flushMilliseconds).unref())])
      for (const api of [context, propagation, trace]) api.disable()
    },
  }
}
