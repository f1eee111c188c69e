/** Traces, by the variables that OpenTelemetry names. */
import { z } from 'zod'
import { text, url, type Setting } from './setting.ts'

export const tracing = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    group: 'Traces',
    about:
      'Collector that accepts OTLP over HTTP, without `/v1/traces`, such as `http://127.0.0.1:4318`. Unset: nothing is traced.',
    takes: 'an http(s) address',
    schema: url.optional(),
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    group: 'Traces',
    about: 'Headers to send along, such as `authorization=Bearer …`.',
    takes: 'name=value, comma-separated',
    schema: text
      .regex(/^[\w-]+=[^,]*(,[\w-]+=[^,]*)*$/)
      .transform((list) => Object.fromEntries(list.split(',').map((pair) => pair.split(/=(.*)/s).slice(0, 2))))
      .pipe(z.record(z.string(), z.string()))
      .optional(),
    secret: true,
  },
  OTEL_TRACES_SAMPLER_ARG: {
    group: 'Traces',
    about: 'Share of traces that are kept.',
    takes: 'a number from 0 to 1',
    schema: z.coerce.number().min(0).max(1),
    fallback: '0.1',
  },
} as const satisfies Record<string, Setting>
