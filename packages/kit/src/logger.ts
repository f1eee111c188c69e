import { type Logger, pino } from 'pino'

export type { Logger }

/** One JSON line per entry on standard output. Secrets that could slip into a logged object are blanked. */
export function createLogger({ part, level }: { part: string; level: string }): Logger {
  return pino({
    base: { part },
    level,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { error: pino.stdSerializers.err, err: pino.stdSerializers.err },
    redact: {
      paths: ['req.headers.authorization', 'req.headers.cookie', '*.password', '*.token'],
      censor: '[redacted]',
    },
  })
}
