/** Bytes of a file as text, and back without changing what was not edited: encoding and line ends stay. */

export type Encoding = 'utf-8' | 'utf-8-bom' | 'utf-16le' | 'utf-16be' | 'latin1'
/** `mixed`: each line keeps its own; those of a carriage return have it as their last character. */
export type LineEnd = '\n' | '\r\n' | '\r' | 'mixed'
export type Codec = { encoding: Encoding; lineEnd: LineEnd }

/** Looked at to tell text from other bytes. */
const probeBytes = 8192

/** @returns undefined for what is no text. Lines end with `\n` in the text, unless they are mixed. */
export function decodeText(bytes: Uint8Array): { text: string; codec: Codec } | undefined {
  const encoding = encodingOf(bytes)
  if (encoding === undefined) return undefined
  const text = decodeAs(bytes, encoding)
  const lineEnd = lineEndOf(text)
  return { text: lineEnd === 'mixed' ? text : text.replace(/\r\n?/g, '\n'), codec: { encoding, lineEnd } }
}

/** @returns undefined when it has characters that its encoding lacks. */
export function encodeText(text: string, { encoding, lineEnd }: Codec): Uint8Array<ArrayBuffer> | undefined {
  const whole = lineEnd === 'mixed' || lineEnd === '\n' ? text : text.replaceAll('\n', lineEnd)
  if (encoding === 'utf-8') return new TextEncoder().encode(whole)
  if (encoding === 'utf-8-bom') return new TextEncoder().encode(`\uFEFF${whole}`)
  if (encoding === 'latin1') {
    const bytes = new Uint8Array(whole.length)
    for (let at = 0; at < whole.length; at += 1) {
      const code = whole.charCodeAt(at)
      if (code > 0xff) return undefined
      bytes[at] = code
    }
    return bytes
  }
  const view = new DataView(new ArrayBuffer(2 + whole.length * 2))
  const isLittle = encoding === 'utf-16le'
  view.setUint16(0, 0xfeff, isLittle)
  for (let at = 0; at < whole.length; at += 1) view.setUint16(2 + at * 2, whole.charCodeAt(at), isLittle)
  return new Uint8Array(view.buffer)
}

function encodingOf(bytes: Uint8Array): Encoding | undefined {
  const [first, second, third] = bytes
  if (first === 0xef && second === 0xbb && third === 0xbf) return isUtf8(bytes) ? 'utf-8-bom' : 'latin1'
  if (first === 0xff && second === 0xfe && bytes.length % 2 === 0) return 'utf-16le'
  if (first === 0xfe && second === 0xff && bytes.length % 2 === 0) return 'utf-16be'
  if (bytes.subarray(0, probeBytes).includes(0)) return undefined
  // Old configuration is Latin-1, whose every byte is a character: nothing is lost by reading it so.
  return isUtf8(bytes) ? 'utf-8' : 'latin1'
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

function decodeAs(bytes: Uint8Array, encoding: Encoding): string {
  if (encoding === 'utf-8') return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  if (encoding === 'utf-8-bom') return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(3))
  const parts: string[] = []
  const step = 8192
  if (encoding === 'latin1') {
    // Not TextDecoder's, which is windows-1252 and cannot be taken back.
    for (let at = 0; at < bytes.length; at += step) parts.push(String.fromCharCode(...bytes.subarray(at, at + step)))
    return parts.join('')
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const codes: number[] = []
  for (let at = 2; at < bytes.length; at += 2) codes.push(view.getUint16(at, encoding === 'utf-16le'))
  for (let at = 0; at < codes.length; at += step) parts.push(String.fromCharCode(...codes.slice(at, at + step)))
  return parts.join('')
}

function lineEndOf(text: string): LineEnd {
  const kinds = new Set(text.match(/\r\n?|\n/g) ?? ['\n'])
  if (kinds.size > 1) return 'mixed'
  const [only] = kinds
  return only === '\r\n' || only === '\r' ? only : '\n'
}
