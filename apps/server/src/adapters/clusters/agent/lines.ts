/** Messages of an agent, line by line; whoever breaks the rules is hung up on. */
import type { IncomingMessage } from 'node:http'
import type { z } from 'zod'

/** A line of a task at its longest, each of its characters escaped. */
const MOST_LINE_BYTES = 512 * 1024

/** @throws Error for what is no message, and where the connection breaks */
export async function* readMessages<Schema extends z.ZodType>(
  response: IncomingMessage,
  schema: Schema,
): AsyncGenerator<z.output<Schema>> {
  let parts: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      let start = 0
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, start)) {
        const line = Buffer.concat([...parts, chunk.subarray(start, at)])
        parts = []
        size = 0
        start = at + 1
        yield schema.parse(JSON.parse(line.toString()))
      }
      const rest = chunk.subarray(start)
      size += rest.length
      if (size > MOST_LINE_BYTES) throw new Error('a line without an end')
      if (rest.length > 0) parts.push(rest)
    }
  } finally {
    response.destroy()
  }
}
