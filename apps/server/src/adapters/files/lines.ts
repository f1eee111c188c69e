/**
 * Lists that a files service tells line by line, looked through and passed on as they come: each line is read, bounded and
 * written anew, so that nothing goes out that is not what the contract says.
 */
import { StringDecoder } from 'node:string_decoder'
import type { LineEnd } from '@wakestone/contract/servers/files'
import { FilesError, readCode } from './errors.ts'

/** A path of 4 096 bytes and where it leads, each character as six. */
const mostLineLength = 128 * 1024
/** More than any folder has, and than anybody reads. */
const mostLines = 2_000_000

type Body = AsyncIterable<Buffer> & { destroy(error?: Error): unknown }
type Options<Line> = {
  /** Undefined for what is no such line. */
  readLine: (value: unknown) => Line | undefined
  most?: number
  /** How long nothing at all may come, while somebody reads. */
  silenceMilliseconds?: number
}

/**
 * Lines of JSON, several in a piece of text, the last of which says how it ended (`LineEnd`). Never throws once it has
 * begun: what breaks off is told by that line.
 */
export async function* passLines<Line>(
  body: Body,
  { readLine, most = mostLines, silenceMilliseconds = 60_000 }: Options<Line>,
): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  let count = 0
  let end: LineEnd | undefined
  try {
    for await (const chunk of readAttentively(body, silenceMilliseconds)) {
      const lines = (rest + decoder.write(chunk)).split('\n')
      rest = lines.pop() ?? ''
      if (rest.length > mostLineLength) throw new FilesError('unreadable', 'a line without an end')
      let text = ''
      for (const line of lines) {
        if (line === '') continue
        const value: unknown = JSON.parse(line)
        end = readEnd(value)
        if (end !== undefined) break
        const read = readLine(value)
        if (read === undefined) throw new FilesError('unreadable', 'no line of this list')
        if (++count > most) {
          end = { end: true, truncated: true }
          break
        }
        text += `${JSON.stringify(read)}\n`
      }
      if (text !== '') yield text
      if (end !== undefined) break
    }
  } catch {
    end = { error: 'service_unavailable' }
  } finally {
    body.destroy()
  }
  yield `${JSON.stringify(end ?? { error: 'service_unavailable' })}\n`
}

function readEnd(value: unknown): LineEnd | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const { end, truncated, error } = value as Record<string, unknown>
  if (end === true) return { end: true, truncated: truncated === true }
  return error === undefined || 'id' in value ? undefined : { error: readCode(error) ?? 'service_unavailable' }
}

/** Pieces as they come; ends by an error when none comes although one is waited for. */
async function* readAttentively(body: Body, milliseconds: number) {
  const wait = () => setTimeout(() => body.destroy(new Error('silent')), milliseconds)
  let timer = wait()
  try {
    for await (const chunk of body) {
      clearTimeout(timer)
      yield chunk
      timer = wait()
    }
  } finally {
    clearTimeout(timer)
  }
}
