/** A real Minecraft client that joins through the gateway under a server's name. */
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { type Bot, createBot } from 'mineflayer'

/**
 * Joins and waits until the player stands in the world.
 * The name of the server is sent in the handshake; the connection goes to this machine or the given one, whatever resolvers say.
 */
export async function joinServer({
  host,
  gameHost = '127.0.0.1',
  gamePort,
  username,
  version = '1.21.4',
  timeoutMilliseconds = 60_000,
}: {
  host: string
  /** The machine. */
  gameHost?: string
  gamePort: number
  username: string
  version?: string
  timeoutMilliseconds?: number
}): Promise<Bot> {
  const bot = createBot({
    username,
    version,
    host,
    port: gamePort,
    auth: 'offline',
    hideErrors: true,
    connect: (client: { setSocket(socket: unknown): void; emit(event: string): void }) => {
      const socket = connect(gamePort, gameHost, () => client.emit('connect'))
      client.setSocket(socket)
    },
  } as unknown as Parameters<typeof createBot>[0])
  // Once it plays, `end` tells whoever asks: what is written just as the connection goes is nobody's failure.
  bot.on('error', () => undefined)
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`${username} did not get into the world in time`)),
      timeoutMilliseconds,
    )
    const settle = (outcome: () => void) => {
      clearTimeout(timer)
      outcome()
    }
    bot.once('spawn', () => settle(resolve))
    bot.once('kicked', (reason) => settle(() => reject(new Error(`kicked: ${JSON.stringify(reason)}`))))
    bot.once('error', (error) => settle(() => reject(error)))
    bot.once('end', (reason) => settle(() => reject(new Error(`the connection ended: ${reason}`))))
  }).catch((error: unknown) => {
    bot.end()
    throw error
  })
  return bot
}

/** Joins as people do: whoever is told that it is waking up comes again. */
export async function joinOnceAwake(options: Parameters<typeof joinServer>[0], patienceMs = 60_000): Promise<Bot> {
  for (const deadline = Date.now() + patienceMs; ; await delay(1_000))
    try {
      return await joinServer(options)
    } catch (error) {
      if (Date.now() > deadline || !/is waking up/.test((error as Error).message)) throw error
    }
}

/** Waits for the first chat line a player reads that fits. */
export function waitForChat(bot: Bot, pattern: RegExp, timeoutMilliseconds = 15_000): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => done(() => reject(new Error(`no chat like ${pattern}`))), timeoutMilliseconds)
    const listen = (message: string) => {
      if (pattern.test(message)) done(() => resolve(message))
    }
    const done = (settle: () => void) => {
      clearTimeout(timer)
      bot.off('messagestr', listen)
      settle()
    }
    bot.on('messagestr', listen)
  })
}
