/** A log as it grows, as lines of JSON. */
import { StringDecoder } from 'node:string_decoder'
import type { LogStreamLine } from '@wakestone/contract/servers/files'

/** A longer line is told in pieces. */
const mostLine = 64 * 1024

/**
 * @param from where the bytes begin in the log
 * @returns a line of JSON for each line of the log that is whole
 */
export async function* logLines(
  bytes: AsyncIterable<Buffer>,
  { log, from, now = Date.now }: { log: string; from: number; now?: () => number },
): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  let begins = from
  const tell = (msg: string): string => {
    const line: LogStreamLine = { time: now(), log, msg: msg.replace(/\r$/, ''), bytes: begins, stream: 'file' }
    return `${JSON.stringify(line)}\n`
  }
  for await (const chunk of bytes) {
    const lines = (rest + decoder.write(chunk)).split('\n')
    rest = lines.pop()!
    for (const text of lines) {
      yield tell(text)
      begins += Buffer.byteLength(text) + 1
    }
    while (rest.length > mostLine) {
      const piece = rest.slice(0, mostLine)
      rest = rest.slice(mostLine)
      yield tell(piece)
      begins += Buffer.byteLength(piece)
    }
  }
}
