/** Reads what another service answers, and no more than it may be. */

export class TooLargeError extends Error {}

/** @throws TooLargeError, and whatever the connection ends with */
export async function readBounded(response: Response, mostBytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.length
    if (size > mostBytes) throw new TooLargeError()
    parts.push(part)
  }
  return Buffer.concat(parts)
}
