/**
 * KSeF, Poland's register of invoices, API version 2: a login by token, an interactive session in which encrypted invoices
 * are sent, and the official confirmation of receipt (UPO).
 * https://github.com/CIRFMF/ksef-docs
 */
import { constants, createCipheriv, createHash, publicEncrypt, randomBytes, X509Certificate } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import type { Settings } from '@wakestone/kit/settings'

export type KsefSettings = Pick<Settings, 'KSEF_URL' | 'KSEF_TOKEN'>

/** The register gave no usable answer; nothing is known of what was asked. */
export class KsefUnavailable extends Error {}
/** The register refused, and will again. */
export class KsefRefused extends Error {}

export type KsefInvoiceStatus =
  | { state: 'pending' }
  | { state: 'accepted'; ksefNumber: string }
  | { state: 'refused'; reason: string }

export type KsefSession = {
  reference: string
  /** @returns the register's reference of the invoice. */
  send(xml: string): Promise<string>
  close(): Promise<void>
}
export type Ksef = {
  openSession(): Promise<KsefSession>
  status(sessionReference: string, invoiceReference: string): Promise<KsefInvoiceStatus>
  /** The confirmation, XML. */
  upo(sessionReference: string, invoiceReference: string): Promise<string>
}

const challengeSchema = z.object({ challenge: z.string(), timestampMs: z.int() })
const tokenSchema = z.object({ token: z.string() })
const initSchema = z.object({ referenceNumber: z.string(), authenticationToken: tokenSchema })
const statusSchema = z.object({
  status: z.object({
    code: z.int(),
    description: z.string(),
    details: z.array(z.string()).nullish(),
    extensions: z.record(z.string(), z.string().nullable()).nullish(),
  }),
})
const invoiceStatusSchema = statusSchema.extend({ ksefNumber: z.string().nullish() })
const tokensSchema = z.object({ accessToken: tokenSchema })
const referenceSchema = z.object({ referenceNumber: z.string() })
const certificatesSchema = z.array(
  z.object({
    certificate: z.string(),
    publicKeyId: z.string(),
    validFrom: z.string(),
    validTo: z.string(),
    usage: z.array(z.string()),
  }),
)

const pollMilliseconds = 500
const polls = 40

/** Undefined where the operator has not set it up. */
export function createKsef(settings: KsefSettings, nip: string): Ksef | undefined {
  const { KSEF_URL, KSEF_TOKEN } = settings
  if (KSEF_URL === undefined || KSEF_TOKEN === undefined) return undefined
  const base = KSEF_URL.replace(/\/$/, '')
  let access: Promise<string> | undefined

  async function ask(
    method: 'GET' | 'POST',
    path: string,
    { token, body }: { token?: string; body?: object } = {},
  ): Promise<string> {
    let response: Response
    let text: string
    try {
      response = await fetch(`${base}${path}`, {
        method,
        headers: {
          accept: 'application/json, application/xml',
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        redirect: 'error',
        signal: AbortSignal.timeout(30_000),
      })
      text = await response.text()
    } catch (error) {
      throw new KsefUnavailable('KSeF gave no answer', { cause: error })
    }
    if (response.ok) return text
    if (response.status === 401) access = undefined // the token has aged: the next try logs in anew
    const isFinal = response.status === 400 || response.status === 403
    throw new (isFinal ? KsefRefused : KsefUnavailable)(`KSeF answered with ${response.status}: ${text.slice(0, 300)}`)
  }

  async function read<Schema extends z.ZodType>(
    schema: Schema,
    ...call: Parameters<typeof ask>
  ): Promise<z.output<Schema>> {
    const text = await ask(...call)
    try {
      return schema.parse(JSON.parse(text))
    } catch (error) {
      throw new KsefUnavailable(`KSeF answered ${call[1]} with something else`, { cause: error })
    }
  }

  /** Encrypts by the register's public key for this use, the one that is valid and lasts longest. */
  async function seal(content: Buffer, usage: 'KsefTokenEncryption' | 'SymmetricKeyEncryption') {
    const now = new Date().toISOString()
    const [certificate] = (await read(certificatesSchema, 'GET', '/security/public-key-certificates'))
      .filter(
        (one) =>
          one.usage.includes(usage) && Date.parse(one.validFrom) <= Date.now() && Date.parse(one.validTo) > Date.now(),
      )
      .toSorted((one, other) => (one.validTo < other.validTo ? 1 : -1))
    if (certificate === undefined) throw new KsefUnavailable(`KSeF has no key for ${usage} at ${now}`)
    const { publicKey } = new X509Certificate(Buffer.from(certificate.certificate, 'base64'))
    const sealed = publicEncrypt(
      { key: publicKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
      content,
    )
    return { sealed: sealed.toString('base64'), publicKeyId: certificate.publicKeyId }
  }

  async function logIn(): Promise<string> {
    const { challenge, timestampMs } = await read(challengeSchema, 'POST', '/auth/challenge')
    const { sealed, publicKeyId } = await seal(Buffer.from(`${KSEF_TOKEN}|${timestampMs}`), 'KsefTokenEncryption')
    const { referenceNumber, authenticationToken } = await read(initSchema, 'POST', '/auth/ksef-token', {
      body: { challenge, contextIdentifier: { type: 'Nip', value: nip }, encryptedToken: sealed, publicKeyId },
    })
    const { token } = authenticationToken
    for (let poll = 0; poll < polls; poll++) {
      const { status } = await read(statusSchema, 'GET', `/auth/${referenceNumber}`, { token })
      if (status.code === 200)
        return (await read(tokensSchema, 'POST', '/auth/token/redeem', { token })).accessToken.token
      if (status.code !== 100) throw new KsefRefused(`login: ${status.code} ${status.description}`)
      await delay(pollMilliseconds)
    }
    throw new KsefUnavailable('KSeF does not finish the login')
  }

  function accessToken(): Promise<string> {
    access ??= logIn().catch((error: unknown) => {
      access = undefined
      throw error
    })
    return access
  }

  return {
    async openSession() {
      const token = await accessToken()
      const key = randomBytes(32)
      const iv = randomBytes(16)
      const { sealed, publicKeyId } = await seal(key, 'SymmetricKeyEncryption')
      const { referenceNumber } = await read(referenceSchema, 'POST', '/sessions/online', {
        token,
        body: {
          formCode: { systemCode: 'FA (3)', schemaVersion: '1-0E', value: 'FA' },
          encryption: { encryptedSymmetricKey: sealed, initializationVector: iv.toString('base64'), publicKeyId },
        },
      })
      return {
        reference: referenceNumber,
        async send(xml) {
          const plain = Buffer.from(xml)
          const cipher = createCipheriv('aes-256-cbc', key, iv)
          const encrypted = Buffer.concat([cipher.update(plain), cipher.final()])
          const hash = (content: Buffer) => createHash('sha256').update(content).digest('base64')
          const sent = await read(referenceSchema, 'POST', `/sessions/online/${referenceNumber}/invoices`, {
            token,
            body: {
              invoiceHash: hash(plain),
              invoiceSize: plain.length,
              encryptedInvoiceHash: hash(encrypted),
              encryptedInvoiceSize: encrypted.length,
              encryptedInvoiceContent: encrypted.toString('base64'),
              offlineMode: false,
            },
          })
          return sent.referenceNumber
        },
        close: async () => void (await ask('POST', `/sessions/online/${referenceNumber}/close`, { token })),
      }
    },
    async status(sessionReference, invoiceReference) {
      const token = await accessToken()
      const { status, ksefNumber } = await read(
        invoiceStatusSchema,
        'GET',
        `/sessions/${sessionReference}/invoices/${invoiceReference}`,
        { token },
      )
      if (status.code < 200) return { state: 'pending' }
      if (status.code === 200 && ksefNumber != null && isKsefNumber(ksefNumber))
        return { state: 'accepted', ksefNumber }
      // Sent before, and only the answer was lost: the register names the number that it gave then.
      const original = status.extensions?.['originalKsefNumber']
      if (status.code === 440 && original != null && isKsefNumber(original))
        return { state: 'accepted', ksefNumber: original }
      return { state: 'refused', reason: [status.code, status.description, ...(status.details ?? [])].join(' · ') }
    },
    upo: async (sessionReference, invoiceReference) =>
      ask('GET', `/sessions/${sessionReference}/invoices/${invoiceReference}/upo`, { token: await accessToken() }),
  }
}

/** CRC-8 with the polynomial 0x07. */
export function crc8(text: string): string {
  let crc = 0
  for (const byte of Buffer.from(text)) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = ((crc & 0x80) === 0 ? crc << 1 : (crc << 1) ^ 0x07) & 0xff
  }
  return crc.toString(16).toUpperCase().padStart(2, '0')
}

/** 35 signs: NIP, day, twelve hexadecimal digits, and the check of all before it. */
export function isKsefNumber(number: string): boolean {
  return /^\d{10}-\d{8}-[0-9A-F]{12}-[0-9A-F]{2}$/.test(number) && crc8(number.slice(0, 32)) === number.slice(33)
}
