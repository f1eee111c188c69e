/**
 * KSeF, Poland's register of invoices, as its API version 2 answers: login by token, interactive sessions, encrypted
 * invoices, duplicates by seller, type and number, confirmations of receipt.
 */
import { constants, createDecipheriv, createHash, privateDecrypt, randomBytes, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { simulatorCertificate, simulatorKey } from './ksef-keys.ts'

type Sent = {
  reference: string
  session: string
  xml: string
  hash: string
  number: string
  ksefNumber: string | null
  asked: number
  refusal: string | null
}
type Session = { key: Buffer; iv: Buffer; closed: boolean }

export type KsefSimulator = {
  url: string
  /** Every invoice that came in and could be opened. */
  invoices: Sent[]
  /** Says what is wrong with an invoice; undefined: nothing. */
  judge: (xml: string) => string | undefined
  /** `lost`: it takes an invoice in, and its answer never arrives. */
  trouble: 'down' | 'lost' | undefined
  /** How often a status is asked for before the register has made up its mind. */
  slowness: number
  close(): Promise<void>
}

export async function startKsefSimulator({ token, nip }: { token: string; nip: string }): Promise<KsefSimulator> {
  const challenges = new Map<string, number>()
  const logins = new Map<string, { token: string; polls: number }>()
  const accesses = new Set<string>()
  const sessions = new Map<string, Session>()
  const reference = (kind: string) =>
    `${new Date().toISOString().slice(0, 10).replaceAll('-', '')}-${kind}-${randomBytes(5).toString('hex').toUpperCase()}-${randomBytes(5).toString('hex').toUpperCase()}-${randomBytes(1).toString('hex').toUpperCase()}`
  const publicKeyId = createHash('sha256').update(simulatorCertificate).digest('base64')
  const open = (sealed: string) =>
    privateDecrypt(
      { key: simulatorKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
      Buffer.from(sealed, 'base64'),
    )
  const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()

  const server = createServer(async (request, response) => {
    const send = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    const refuse = (status: number, code: number, description: string) =>
      send(status, { exception: { exceptionDetailList: [{ exceptionCode: code, exceptionDescription: description }] } })
    const raw = await text(request)
    if (simulator.trouble === 'down') return response.writeHead(503).end()
    const path = new URL(request.url ?? '', 'http://ksef').pathname.replace(/^\/v2/, '')
    const body = raw === '' ? {} : (JSON.parse(raw) as Record<string, never>)
    const bearer = request.headers.authorization?.replace('Bearer ', '') ?? ''
    const route = `${request.method} ${path}`

    if (route === 'GET /security/public-key-certificates')
      return send(200, [
        {
          certificate: simulatorCertificate,
          certificateId: publicKeyId,
          publicKeyId,
          validFrom: '2026-01-01T00:00:00Z',
          validTo: '2046-01-01T00:00:00Z',
          usage: ['KsefTokenEncryption', 'SymmetricKeyEncryption'],
        },
      ])
    if (route === 'POST /auth/challenge') {
      const challenge = reference('CR')
      const timestampMs = Date.now()
      challenges.set(challenge, timestampMs)
      return send(200, {
        challenge,
        timestamp: new Date(timestampMs).toISOString(),
        timestampMs,
        clientIp: '127.0.0.1',
      })
    }
    if (route === 'POST /auth/ksef-token') {
      const given = body as unknown as {
        challenge: string
        contextIdentifier: { type: string; value: string }
        encryptedToken: string
      }
      const timestamp = challenges.get(given.challenge)
      challenges.delete(given.challenge)
      if (timestamp === undefined) return refuse(400, 21115, 'Nieprawidłowe wyzwanie')
      let opened = ''
      try {
        opened = open(given.encryptedToken).toString()
      } catch {
        return refuse(400, 21405, 'Błąd odszyfrowania tokena')
      }
      const isRight =
        opened === `${token}|${timestamp}` &&
        given.contextIdentifier.type === 'Nip' &&
        given.contextIdentifier.value === nip
      const id = reference('AU')
      const temporary = randomUUID()
      logins.set(id, { token: temporary, polls: isRight ? 0 : Number.NEGATIVE_INFINITY })
      return send(202, { referenceNumber: id, authenticationToken: { token: temporary, validUntil: inAnHour() } })
    }
    const login = /^GET \/auth\/([\w-]+)$/.exec(route)
    if (login !== null) {
      const known = logins.get(login[1] ?? '')
      if (known?.token !== bearer) return refuse(401, 21301, 'Brak autoryzacji')
      const status =
        known.polls < 0
          ? { code: 450, description: 'Uwierzytelnianie zakończone niepowodzeniem z powodu błędnego tokenu' }
          : known.polls++ === 0
            ? { code: 100, description: 'Uwierzytelnianie w toku' }
            : { code: 200, description: 'Uwierzytelnianie zakończone sukcesem' }
      return send(200, { startDate: new Date().toISOString(), authenticationMethod: 'Token', status })
    }
    if (route === 'POST /auth/token/redeem') {
      const known = [...logins.values()].find((one) => one.token === bearer && one.polls > 1)
      if (known === undefined) return refuse(401, 21301, 'Brak autoryzacji')
      const access = randomUUID()
      accesses.add(access)
      return send(200, {
        accessToken: { token: access, validUntil: inAnHour() },
        refreshToken: { token: randomUUID(), validUntil: inAnHour() },
      })
    }
    if (!accesses.has(bearer)) return refuse(401, 21301, 'Brak autoryzacji')

    if (route === 'POST /sessions/online') {
      const given = body as unknown as {
        formCode: { systemCode: string; schemaVersion: string; value: string }
        encryption: { encryptedSymmetricKey: string; initializationVector: string }
      }
      if (JSON.stringify(given.formCode) !== '{"systemCode":"FA (3)","schemaVersion":"1-0E","value":"FA"}')
        return refuse(400, 21155, 'Nieprawidłowy kod formularza')
      const key = open(given.encryption.encryptedSymmetricKey)
      const iv = Buffer.from(given.encryption.initializationVector, 'base64')
      if (key.length !== 32 || iv.length !== 16) return refuse(400, 21405, 'Nieprawidłowy klucz')
      const id = reference('SO')
      sessions.set(id, { key, iv, closed: false })
      return send(201, { referenceNumber: id, validUntil: inAnHour() })
    }
    const sending = /^POST \/sessions\/online\/([\w-]+)\/invoices$/.exec(route)
    if (sending !== null) {
      const session = sessions.get(sending[1] ?? '')
      if (session === undefined || session.closed)
        return refuse(400, 21180, 'Status sesji uniemożliwia wykonanie operacji')
      const given = body as unknown as {
        invoiceHash: string
        invoiceSize: number
        encryptedInvoiceHash: string
        encryptedInvoiceSize: number
        encryptedInvoiceContent: string
      }
      const encrypted = Buffer.from(given.encryptedInvoiceContent, 'base64')
      const hash = (content: Buffer) => createHash('sha256').update(content).digest('base64')
      if (hash(encrypted) !== given.encryptedInvoiceHash || encrypted.length !== given.encryptedInvoiceSize)
        return refuse(400, 21405, 'Skrót zaszyfrowanej faktury się nie zgadza')
      const decipher = createDecipheriv('aes-256-cbc', session.key, session.iv)
      const plain = Buffer.concat([decipher.update(encrypted), decipher.final()])
      if (hash(plain) !== given.invoiceHash || plain.length !== given.invoiceSize)
        return refuse(400, 21405, 'Skrót faktury się nie zgadza')
      const sent: Sent = {
        reference: reference('EE'),
        session: sending[1] ?? '',
        xml: plain.toString(),
        hash: given.invoiceHash,
        number: /<P_2>([^<]*)</.exec(plain.toString())?.[1] ?? '',
        ksefNumber: null,
        asked: 0,
        refusal: simulator.judge(plain.toString()) ?? null,
      }
      const original = simulator.invoices.find(({ number, refusal }) => number === sent.number && refusal === null)
      simulator.invoices.push(sent)
      if (original !== undefined) sent.refusal = `440 ${original.reference}`
      if (simulator.trouble === 'lost') return request.socket.destroy()
      return send(202, { referenceNumber: sent.reference })
    }
    const closing = /^POST \/sessions\/online\/([\w-]+)\/close$/.exec(route)
    if (closing !== null) {
      const session = sessions.get(closing[1] ?? '')
      if (session !== undefined) session.closed = true
      return response.writeHead(204).end()
    }
    const asking = /^GET \/sessions\/([\w-]+)\/invoices\/([\w-]+)(\/upo)?$/.exec(route)
    const sent = simulator.invoices.find((one) => one.session === asking?.[1] && one.reference === asking[2])
    if (sent === undefined) return refuse(404, 21170, 'Nie znaleziono')
    if (asking?.[3] !== undefined) {
      if (sent.ksefNumber === null) return refuse(400, 21178, 'Nie znaleziono UPO')
      return response
        .writeHead(200, { 'content-type': 'application/xml' })
        .end(
          `<Potwierdzenie><NumerKSeFDokumentu>${sent.ksefNumber}</NumerKSeFDokumentu><SkrotDokumentu>${sent.hash}</SkrotDokumentu></Potwierdzenie>`,
        )
    }
    const describe = (status: object) =>
      send(200, {
        ordinalNumber: 1,
        referenceNumber: sent.reference,
        invoiceHash: sent.hash,
        invoicingDate: new Date().toISOString(),
        ksefNumber: sent.ksefNumber,
        status,
      })
    if (sent.asked++ < simulator.slowness) return describe({ code: 150, description: 'Trwa przetwarzanie' })
    if (sent.refusal?.startsWith('440 ') === true) {
      const original = simulator.invoices.find(({ reference: known }) => `440 ${known}` === sent.refusal)
      if (original !== undefined) original.ksefNumber ??= ksefNumberOf(nip)
      return describe({
        code: 440,
        description: 'Duplikat faktury',
        details: [`Duplikat faktury. Faktura o numerze KSeF: ${original?.ksefNumber} została już prawidłowo przesłana`],
        extensions: { originalKsefNumber: original?.ksefNumber, originalSessionReferenceNumber: original?.session },
      })
    }
    if (sent.refusal !== null)
      return describe({
        code: 450,
        description: 'Błąd weryfikacji semantyki dokumentu faktury',
        details: [sent.refusal],
      })
    sent.ksefNumber ??= ksefNumberOf(nip)
    return describe({ code: 200, description: 'Sukces' })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const simulator: KsefSimulator = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2`,
    invoices: [],
    judge: () => undefined,
    trouble: undefined,
    slowness: 1,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return simulator
}

function ksefNumberOf(nip: string): string {
  const day = new Date().toISOString().slice(0, 10).replaceAll('-', '')
  const data = `${nip}-${day}-${randomBytes(6).toString('hex').toUpperCase()}`
  let crc = 0
  for (const byte of Buffer.from(data)) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = ((crc & 0x80) === 0 ? crc << 1 : (crc << 1) ^ 0x07) & 0xff
  }
  return `${data}-${crc.toString(16).toUpperCase().padStart(2, '0')}`
}
