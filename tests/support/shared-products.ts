/**
 * Running products that end-to-end files use one after the other. Whoever connects is told of one that nobody uses, or of
 * a new one, and has it until the connection ends, at the latest with the process of the file.
 */
import { createServer, type Socket } from 'node:net'
import { type Standalone, startStandalone } from './standalone.ts'

/** What a file learns of its product. */
export type SharedProduct = Pick<Standalone, 'origin' | 'gamePort' | 'dataDir' | 'secrets'> & { databaseUrl: string }

/** All that an operator may set and that harms no file which does not look at it. */
const settings = {
  ANALYTICS_SCRIPT_URL: 'https://stats.example/script.js',
  PARTNER_MARKER: 'night-market',
  DOCS_URL: 'https://docs.example/{lang}/start',
  SOCIAL_LINKS: 'https://discord.gg/lantern,https://www.youtube.com/@lantern',
  SUPPORT_EMAIL: 'desk@example.test',
  PAPER_FILL_URL: 'http://127.0.0.1:9', // an engine whose maker does not answer
  REVIEW_WIDGET_URL: 'https://reviews.example/widget',
}

/** Every tester has the same address, and all files together do more than a visitor. */
const withoutLimits = Object.fromEntries(
  [
    'REGISTRATIONS',
    'TRANSACTIONS',
    'CLICKS',
    'TICKETS',
    'NEWSLETTER',
    'DISCORD',
    'MAILS',
    'INVITATIONS',
    'VOUCHERS',
    'PRINTS',
  ].map((name) => [`LIMIT_${name}`, '0']),
)

/** What every product that testers use is given. */
export const testerSettings = { ...settings, ...withoutLimits }

/** @param clone makes a database. */
export async function openProducts(socketPath: string, clone: () => Promise<string>) {
  const started: Promise<{ product: Standalone; told: SharedProduct }>[] = []
  const free: SharedProduct[] = []

  async function start() {
    const databaseUrl = await clone()
    const product = await startStandalone({ env: { ...testerSettings, DATABASE_URL: databaseUrl } })
    const { origin, gamePort, dataDir, secrets } = product
    return { product, told: { origin, gamePort, dataDir, secrets, databaseUrl } }
  }
  async function take(): Promise<SharedProduct> {
    const found = free.pop()
    if (found !== undefined) return found
    const starting = start()
    started.push(starting)
    return (await starting).told
  }

  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    const ended = new Promise<void>((resolve) => socket.on('close', () => resolve()))
    socket.on('error', () => {})
    socket.resume()
    take().then(
      (product) => {
        socket.write(`${JSON.stringify(product)}\n`)
        void ended.then(() => free.push(product))
      },
      (error: unknown) => socket.end(`${JSON.stringify({ error: String(error) })}\n`),
    )
    void ended.then(() => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(socketPath, resolve))
  return {
    socketPath,
    async close() {
      server.close()
      for (const socket of sockets) socket.destroy()
      const all = await Promise.allSettled(started)
      await Promise.all(all.map((one) => one.status === 'fulfilled' && one.value.product.dispose()))
    },
  }
}
