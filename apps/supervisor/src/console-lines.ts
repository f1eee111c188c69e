/** Cuts what a process prints into lines. */
import { StringDecoder } from 'node:string_decoder'

/** Longer lines are cut into several, so that output without line ends cannot fill the memory. */
export const MAX_LINE_LENGTH = 64 * 1024

export type LineSplitter = { push(chunk: Buffer): void; end(): void }

/** Calls `emit` with each line, without its line end; ANSI sequences are kept. */
export function createLineSplitter(emit: (line: string) => void): LineSplitter {
  const decoder = new StringDecoder('utf8')
  let rest = ''

  function take(text: string) {
    let from = 0
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
      emitCut(text.slice(from, end > from && text.charCodeAt(end - 1) === 13 ? end - 1 : end))
      from = end + 1
    }
    rest = text.slice(from)
    while (rest.length >= MAX_LINE_LENGTH) {
      emit(rest.slice(0, MAX_LINE_LENGTH))
      rest = rest.slice(MAX_LINE_LENGTH)
    }
  }

  function emitCut(line: string) {
    let left = line
    while (left.length > MAX_LINE_LENGTH) {
      emit(left.slice(0, MAX_LINE_LENGTH))
      left = left.slice(MAX_LINE_LENGTH)
    }
    emit(left)
  }

  return {
    push: (chunk) => take(rest + decoder.write(chunk)),
    end() {
      take(rest + decoder.end())
      if (rest !== '') emit(rest)
      rest = ''
    },
  }
}
