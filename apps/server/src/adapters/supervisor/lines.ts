import { SupervisorError } from './errors.ts'

/** Lines out of bytes as they come, none longer than `most` bytes. @throws SupervisorError `unreadable` for one that is. */
export async function* splitLines(chunks: AsyncIterable<Buffer>, most: number): AsyncGenerator<string> {
  let parts: Buffer[] = []
  let size = 0
  for await (const chunk of chunks) {
    let from = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      parts.push(chunk.subarray(from, end))
      yield Buffer.concat(parts).toString()
      parts = []
      size = 0
      from = end + 1
    }
    parts.push(chunk.subarray(from))
    size += chunk.length - from
    if (size > most) throw new SupervisorError('unreadable', 'a line without an end')
  }
}
