/** A real mail server: takes what is sent to it, by STARTTLS, and reads it as a mail program does. */
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

export type Received = { to: string; raw: string; mail: Email; isEncrypted: boolean }

export type MailServer = {
  /** For `MAIL_URL`. Its certificate is nobody's. */
  url: string
  received: Received[]
  /** Refuses so many messages before it takes one again. */
  refuse(times: number): void
  waitFor(isIt: (message: Received) => boolean, what: string): Promise<Received>
  close(): Promise<void>
}

export async function startMailServer(): Promise<MailServer> {
  const received: Received[] = []
  let refusals = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH'],
    onMailFrom(_address, session, done) {
      done(
        session.secure ? null : Object.assign(new Error('Must issue a STARTTLS command first'), { responseCode: 530 }),
      )
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (refusals > 0) {
          refusals--
          return done(Object.assign(new Error('Try again later'), { responseCode: 451 }))
        }
        const raw = Buffer.concat(chunks)
        void PostalMime.parse(raw).then((mail) => {
          for (const { address } of session.envelope.rcptTo)
            received.push({ to: address, raw: raw.toString('latin1'), mail, isEncrypted: session.secure })
          done()
        }, done)
      })
    },
  })
  server.on('error', () => undefined) // a client that goes is its own business
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}?requireTLS=true&tls.rejectUnauthorized=false`,
    received,
    refuse: (times) => void (refusals = times),
    async waitFor(isIt, what) {
      for (const deadline = Date.now() + 20_000; ; await delay(20)) {
        const found = received.find(isIt)
        if (found !== undefined) return found
        if (Date.now() > deadline) throw new Error(`no mail came: ${what}`)
      }
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
