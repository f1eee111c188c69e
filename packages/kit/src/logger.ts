import { type Logger, pino } from 'pino'

export type { Logger }

/**
 * One JSON line per entry on standard output. Secrets that could slip into a logged object are blanked.
 * @param ids what each line says of what it belongs to
 */
export function createLogger({ part, level, ids }: { part: string; level: string; ids?: () => object }): Logger {
  return pino({
    base: { part },
    level,
    ...(ids !== undefined && { mixin: ids }),
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { error: pino.stdSerializers.err, err: pino.stdSerializers.err },
    redact: {
      paths: ['req.headers.authorization', 'req.headers.cookie', '*.password', '*.token'],
      censor: '[redacted]',
    },
  })
}
