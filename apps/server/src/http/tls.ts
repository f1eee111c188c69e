/** TLS of the product's own, beside plain HTTP, which then only leads on to it and answers the certificate authority. */
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createSecureContext, type SecureContext } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import { websiteUrl } from '@wakestone/kit/settings'
import type { Context } from '#src/context.ts'
import { createToldCache } from '#src/db/told-cache.ts'
import { findAcmeAnswer, findCertificate, wantCertificate } from '#src/features/ground/certificates/service.ts'
import { findWebsiteByName, isOnline } from '#src/features/websites/craftums/service.ts'
import { endConnectionsOnClose } from './closing.ts'

type Deps = Pick<Context, 'db' | 'settings' | 'secrets' | 'channels'>
type Secure = { name: string; context: SecureContext }

export type Tls = {
  /** What a host shows; undefined where it has nothing, or TLS is not ours to do. */
  find(host: string): Promise<SecureContext | undefined>
  close(): Promise<void>
}

/** A certificate ends within this time of being read, at the latest. */
const keptSeconds = 3_600
/** For which a host without a certificate is not looked for again, so that knocks cost nothing. */
const missingMilliseconds = 3_000
const mostMissing = 10_000
const challengePath = '/.well-known/acme-challenge/'
const hostName = /^[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})+$/

export async function openTls(deps: Deps): Promise<Tls> {
  const { db, settings, channels } = deps
  if (settings.HTTPS_PORT === undefined) return { find: async () => undefined, close: async () => {} }
  const missing = new Map<string, number>()
  const listener = await channels.listen('certificates_changed', {
    onMessage: (name) => {
      missing.clear()
      kept.forgetWhere((secure) => secure.name === name)
    },
    onReconnect: () => kept.clear(),
  })
  const kept = createToldCache<Secure>(() => listener.connected(), { seconds: keptSeconds })

  async function load(host: string): Promise<Secure | undefined> {
    const found = await findCertificate(deps, host)
    if (found !== undefined) return { name: found.name, context: createSecureContext(found) }
    if (missing.size >= mostMissing) missing.clear()
    missing.set(host, Date.now() + missingMilliseconds)
    if (await isWebsite(host)) await wantCertificate(deps, host)
    return undefined
  }

  async function isWebsite(host: string): Promise<boolean> {
    const suffix = `.${settings.SITES_DOMAIN}`
    const name = host.slice(0, -suffix.length)
    if (!host.endsWith(suffix) || name.includes('.')) return false
    const row = await findWebsiteByName(db, name)
    return row !== undefined && isOnline(row, new Date())
  }

  return {
    async find(given) {
      const host = given.toLowerCase()
      if (!hostName.test(host) || (missing.get(host) ?? 0) > Date.now()) return undefined
      return (await kept.find(host, () => load(host)))?.context
    },
    close: () => listener.close(),
  }
}

/** Comes before everything else: what the authority asks is asked on every host. */
export function leadToTls(app: FastifyInstance, { tls, context }: { tls: Tls; context: Deps }): void {
  if (context.settings.HTTPS_PORT === undefined) return
  app.addHook('onRequest', async (request, reply) => {
    if (request.protocol === 'https') return
    const { url } = request
    if (url.startsWith(challengePath)) {
      const answer = await findAcmeAnswer(context.db, url.slice(challengePath.length))
      return reply
        .status(answer === undefined ? 404 : 200)
        .type('text/plain')
        .send(answer ?? '')
    }
    const host = request.hostname.toLowerCase()
    if ((await tls.find(host)) === undefined) return
    // With its method and its body.
    return reply.redirect(`${websiteUrl(context.settings, host)}${url}`, 308)
  })
}

/** Listens for TLS; undefined where it is a proxy's. Closed with the application. */
export async function listenForTls(
  app: FastifyInstance,
  { tls, settings }: { tls: Tls; settings: Pick<Deps['settings'], 'HTTPS_PORT' | 'HTTP_HOST'> },
): Promise<{ port: number } | undefined> {
  const { HTTPS_PORT, HTTP_HOST } = settings
  if (HTTPS_PORT === undefined) return undefined
  const server: Server = createServer({
    minVersion: 'TLSv1.2',
    SNICallback: (host, done) => {
      tls.find(host).then(
        (secure) => (secure === undefined ? done(new Error('no certificate')) : done(null, secure)),
        (error: Error) => done(error),
      )
    },
  })
  server.on('request', app.routing)
  // Sockets that become WebSockets are looked for on the application's own server.
  server.on('upgrade', (...upgrade) => app.server.emit('upgrade', ...upgrade))
  endConnectionsOnClose(app, server)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port: HTTPS_PORT, host: HTTP_HOST }, resolve)
  })
  return { port: (server.address() as AddressInfo).port }
}
