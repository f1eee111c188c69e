export type Log = (level: 'info' | 'warn' | 'error', message: string, fields?: Record<string, unknown>) => void

/** One JSON line per entry on standard output. The product's logger is not used here: every box would pay for it. */
export const log: Log = (level, message, fields) => {
  const entry = { level, time: new Date().toISOString(), part: 'files', msg: message, ...fields }
  process.stdout.write(`${JSON.stringify(entry, (_key, value) => (value instanceof Error ? value.message : value))}\n`)
}
