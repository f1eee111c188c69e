/** How an answer may be compressed for a client, by its `Accept-Encoding`: as well as it can read. */
export const encodings = ['br', 'gzip'] as const
export type Encoding = (typeof encodings)[number]

/** @returns undefined for not at all. */
export function acceptedEncoding(header: string | undefined): Encoding | undefined {
  const qualities = new Map<string, number>()
  for (const part of (header ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1'
    qualities.set(name, Number(quality) || 0)
  }
  const wanted = (encoding: string) => qualities.get(encoding) ?? qualities.get('*') ?? 0
  const [best] = encodings.filter((encoding) => wanted(encoding) > 0).toSorted((a, b) => wanted(b) - wanted(a))
  return best
}
