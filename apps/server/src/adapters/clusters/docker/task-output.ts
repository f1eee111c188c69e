/** What tasks in containers write, of which the last word may be of their script. */
import type { PassThrough } from 'node:stream'
import { readLines, type TaskLines } from '../process/boxes/task-lines.ts'

/** Passes on what is written, but for the last word of our own. */
export function listen(
  out: PassThrough,
  err: PassThrough,
  mark: string,
): { output: TaskLines; wasKilled: () => boolean } {
  let killed = false
  const lines = readLines({ out, err })
  async function* withoutMark() {
    for await (const line of lines.lines) {
      if (line.stream === 'out' || !line.text.endsWith(mark)) yield line
      else if (line.text !== mark) yield { ...line, text: line.text.slice(0, -mark.length) }
    }
  }
  err.on('data', (chunk: Buffer) => {
    if (chunk.includes(mark)) killed = true
  })
  return { output: { lines: withoutMark(), tail: lines.tail }, wasKilled: () => killed }
}
