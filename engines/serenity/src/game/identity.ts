/** Who a client says it is. This engine is for demonstrations and tests: it believes what it is told. */

type Identity = { cpk: string; displayName: string; identity: string | undefined }

/** Reads the token in which clients from 1.26.10 on tell who they are without an account; null: there is none. */
export function readIdentity(token: string): Identity | null {
  const payload = token.split('.')[1]
  if (!payload) return null
  const { cpk, xname, identity } = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Record<
    string,
    unknown
  >
  if (typeof cpk !== 'string' || typeof xname !== 'string') return null
  return { cpk, displayName: xname.slice(0, 32), identity: typeof identity === 'string' ? identity : undefined }
}

/** What the library uses of newer JavaScript than Node 24 has. */
export function addMissingEncodings(): void {
  const bytes = Uint8Array as unknown as { fromBase64?: unknown; prototype: { toHex?: unknown } }
  bytes.fromBase64 ??= (text: string, options?: { alphabet?: 'base64' | 'base64url' }) =>
    new Uint8Array(Buffer.from(text, options?.alphabet ?? 'base64'))
  bytes.prototype.toHex ??= function toHex(this: Uint8Array) {
    return Buffer.from(this).toString('hex')
  }
}
