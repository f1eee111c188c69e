/** The console in the style of Bedrock Dedicated Server: lines on standard output, commands on standard input. */
import { createInterface } from 'node:readline'

type Level = 'INFO' | 'WARN' | 'ERROR'

/** Writes one line. Control characters are dropped: players' texts must not forge lines or colours. */
export function printLine(level: Level, text: string): void {
  const now = new Date()
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString()
  const time = `${local.slice(0, 10)} ${local.slice(11, 19)}:${local.slice(20, 23)}`
  // oxlint-disable-next-line no-control-regex
  for (const line of text.split('\n')) {
    process.stdout.write(`[${time} ${level}] ${line.replace(/§./g, '').replace(/[\u0000-\u001f\u007f-\u009f]/g, '')}\n`)
  }
}

/** Runs each line typed, in order. The end of the input ends nothing. */
export function readCommands(run: (line: string) => Promise<void>): void {
  let last = Promise.resolve()
  createInterface({ input: process.stdin, terminal: false }).on('line', (line) => {
    const command = line.trim().replace(/^\//, '')
    if (command !== '') last = last.then(() => run(command))
  })
}
