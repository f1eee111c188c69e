/**
 * Makes docs/screens/wake.webp, the recording in the README: a server's page in Chromium while the server sleeps, a
 * Minecraft client that knocks and comes again, and the page as it follows. Nobody touches the page.
 *
 *   node scripts/recording.ts [--out file.webp]
 */
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createServer, getServerStatus } from '@wakestone/contract/servers/servers-routes'
import { loginLocal } from '@wakestone/contract/accounts/users-routes'
import type { Browser } from 'playwright-core'
import { closeContext } from '../apps/server/src/context.ts'
import { demoAccount } from '../apps/server/src/features/accounts/accounts/first-accounts.ts'
import { createCookieClient } from '../tests/support/api.ts'
import { openBrowser, waitForScripts } from '../tests/support/browser.ts'
import { joinServer } from '../tests/support/player.ts'
import { findFreePorts } from '../tests/support/ports.ts'
import { order } from '../tests/support/servers.ts'
import { type Standalone, startStandalone } from '../tests/support/standalone.ts'
import { drawCaptions } from './recording/captions.ts'
import { recordPage } from './recording/frames.ts'
import { writeRecording } from './recording/write.ts'
import { createPayer, until } from './screens/payments.ts'
import { openContext } from './screens/people.ts'

const { values } = parseArgs({
  options: { out: { type: 'string', default: join(import.meta.dirname, '../docs/screens/wake.webp') } },
})
const name = 'misty-allay'
const player = 'kuba_07'
const size = { width: 1280, height: 760 }

// Nothing but the database decides when this server sleeps. Minecraft's own port, which has to be free, makes its address
// the name alone.
const product = await startStandalone({
  env: { SLEEP_MINUTES_AFTER_START: '0' },
  ports: { ...(await findFreePorts()), game: 25565 },
})
const browser = await openBrowser()
try {
  await letFallAsleep(product, browser)
  await record(product, browser)
} finally {
  await browser.close()
  await product.dispose()
}

/** A server of the demo's customer that sleeps, and sleeps no more once it is awake. */
async function letFallAsleep({ origin, dataDir, secrets }: Standalone, from: Browser): Promise<void> {
  const { call } = createCookieClient(origin)
  const { wallets } = await call(loginLocal, { body: { login: demoAccount.email, password: secrets.demoPassword } })
  const wallet = wallets.find(({ currency }) => currency === 'PLN')
  if (wallet === undefined) throw new Error('the demo customer lacks a wallet')
  await createPayer(call, wallet.id, from).press(5000, 'pay')
  const { id } = await call(createServer, {
    body: order(wallet.id, '1.21.4', { name, subdomain: name, requested_billing_services: ['GRASS'] }),
  })
  const status = async () => (await call(getServerStatus, { params: { id } })).game_status
  await until(name, async () => (await status()) === 'IRL_IDLE')
  const context = await openContext({ origin, dataDir, secrets })
  try {
    const sleepAfter = async (deep: number | null) => {
      const server = context.db.selectFrom('servers').select('limits').where('id', '=', id)
      const { limits } = await server.executeTakeFirstOrThrow()
      const sleep = { light: null, deep, hibernate: null }
      const changed = JSON.stringify({ ...(limits as object), sleep })
      await context.db.updateTable('servers').set({ limits: changed }).where('id', '=', id).execute()
    }
    await sleepAfter(0.02)
    await until('a server that sleeps', async () => (await status()) === 'IRL_DEEP_SLEEP')
    await sleepAfter(null)
  } finally {
    await closeContext(context)
  }
}

async function record({ origin, secrets, gamePort }: Standalone, from: Browser): Promise<void> {
  const context = await from.newContext({ viewport: size, colorScheme: 'dark', locale: 'en-GB' })
  const headers = { origin }
  await context.request.post(`${origin}/consent`, { form: { choice: 'necessary', back: '/en' }, headers })
  await context.request.post(`${origin}/api/v1/users/login/local`, {
    data: { login: demoAccount.email, password: secrets.demoPassword },
    headers,
  })
  const page = await context.newPage()
  await page.goto(`${origin}/s/${name}`)
  await waitForScripts(page)
  await page.getByRole('heading', { name: 'Asleep: join to wake it' }).waitFor()
  await page.waitForTimeout(2_000)

  const recorder = await recordPage(page)
  const captions: { text: string; at: number }[] = []
  const say = (text: string) => void captions.push({ text, at: Date.now() })
  say('Nobody plays: the server sleeps, and takes no memory.')
  await delay(2_000)
  const bot = await comeUntilLetIn(gamePort, say)
  say(`${player} is in the world.`)
  await page.getByRole('listitem').filter({ hasText: player }).first().waitFor()
  await delay(1_500)
  bot.chat('good morning!')
  await delay(3_000)
  const frames = await recorder.stop()
  bot.end()

  const drawn = await drawCaptions(from, captions, size.width)
  const { bytes, seconds } = await writeRecording(resolve(values.out), { frames, captions: drawn, size })
  console.log(`${values.out}: ${Math.round(bytes / 1000)} kB, ${seconds.toFixed(1)} s`)
}

/** Joins as people do: who is told that it wakes up comes again. What the server said is told word for word. */
async function comeUntilLetIn(gamePort: number, say: (text: string) => void) {
  const host = `${name}.localhost`
  say(`${player} joins ${name} in Minecraft …`)
  for (const deadline = Date.now() + 60_000; ; await delay(800))
    try {
      return await joinServer({ host, gamePort, username: player })
    } catch (error) {
      const said = (error as Error).message
      if (Date.now() > deadline || !/is waking up/.test(said)) throw error
      say(`${player} joins ${name} in Minecraft … “${readKick(said)}”`)
    }
}

/** The words of a refusal: texts stand within components. */
function readKick(message: string): string {
  const texts = [...message.matchAll(/"(?:text|value)":"((?:[^"\\]|\\.)*)"/g)].map(([, text]) => text ?? '')
  return texts.join('').replaceAll('\\n', ' ').trim()
}
