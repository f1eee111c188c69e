/** Checks a DKIM signature as RFC 6376 says, for `rsa-sha256` and `relaxed/relaxed`. */
import { createHash, createVerify, type KeyObject } from 'node:crypto'

const relaxHeader = (name: string, value: string) =>
  `${name.toLowerCase()}:${value
    .replace(/\r\n(?=[ \t])/g, '')
    .replace(/[ \t]+/g, ' ')
    .trim()}`

function relaxBody(body: string): string {
  const lines = body.split('\r\n').map((line) => line.replace(/[ \t]+/g, ' ').replace(/ $/, ''))
  while (lines.at(-1) === '') lines.pop()
  return lines.length === 0 ? '' : `${lines.join('\r\n')}\r\n`
}

/** @returns the tags of the signature, such as `d` and `s`. @throws Error saying what does not fit. */
export function verifyDkim(raw: string, publicKey: KeyObject): Record<string, string> {
  const end = raw.indexOf('\r\n\r\n')
  const headers = raw
    .slice(0, end)
    .split(/\r\n(?![ \t])/)
    .map((line) => ({ name: line.slice(0, line.indexOf(':')), value: line.slice(line.indexOf(':') + 1) }))
  const signature = headers.find(({ name }) => name.toLowerCase() === 'dkim-signature')
  if (signature === undefined) throw new Error('there is no signature')
  const tags = Object.fromEntries(
    signature.value.split(';').map((tag) => {
      const [name = '', ...rest] = tag.split('=')
      return [name.trim(), rest.join('=').replace(/\s+/g, '')]
    }),
  )
  if (tags['a'] !== 'rsa-sha256' || tags['c'] !== 'relaxed/relaxed') throw new Error('another way of signing')
  const bodyHash = createHash('sha256')
    .update(relaxBody(raw.slice(end + 4)), 'latin1')
    .digest('base64')
  if (bodyHash !== tags['bh']) throw new Error('the body was changed')
  const unused = [...headers].reverse()
  const signed = (tags['h'] ?? '').split(':').flatMap((wanted) => {
    const at = unused.findIndex(({ name }) => name.toLowerCase() === wanted.toLowerCase())
    const [header] = at < 0 ? [] : unused.splice(at, 1)
    return header === undefined ? [] : [relaxHeader(header.name, header.value)]
  })
  const own = relaxHeader('dkim-signature', signature.value.replace(/(\bb=)[^;]*/, '$1'))
  const verify = createVerify('sha256').update([...signed, own].join('\r\n'), 'latin1')
  if (!verify.verify(publicKey, tags['b'] ?? '', 'base64')) throw new Error('the headers were changed')
  return tags
}
