/** A real player of Bedrock Edition, by bedrock-protocol: what a client sends and waits for, down to RakNet. */
import { createRequire } from 'node:module'
import type { EventEmitter } from 'node:events'

const require = createRequire(import.meta.url)

/** Its own types need more of its dependencies than are installed. */
type Client = EventEmitter & {
  queue(name: string, packet: object): void
  disconnect(reason: string): void
  close(): void
}

/** The prebuilt RakNet is kept under the name of an older kernel, and runs on this one as well. */
function load(): { createClient(options: object): Client } {
  const os = require('node:os') as { release(): string }
  const { release } = os
  os.release = () => '5.0.0'
  try {
    require('raknet-native')
  } finally {
    os.release = release
  }
  return require('bedrock-protocol')
}

export type BedrockPlayer = {
  position: { x: number; y: number; z: number }
  texts: string[]
  chat(text: string): void
  command(text: string): void
  /** Block updates heard, as `x y z`. */
  blocks: string[]
  leave(): Promise<void>
}

type JoinOptions = { port: number; host?: string; username?: string; timeoutMs?: number }

/** Joins without asking for the status before, and resolves once the player stands in the world. */
export async function joinBedrock(options: JoinOptions): Promise<BedrockPlayer> {
  const { port, host = '127.0.0.1', username = 'Alex', timeoutMs = 30_000 } = options
  const client = load().createClient({
    host,
    port,
    username,
    offline: true,
    version: '1.26.20',
    skipPing: true,
    connectTimeout: timeoutMs,
  })
  const closed = new Promise<void>((resolve) => client.once('close', () => resolve()))
  const texts: string[] = []
  const blocks: string[] = []
  client.on('text', ({ message }: { message: string }) => texts.push(message))
  client.on('update_block', ({ position: { x, y, z } }: { position: { x: number; y: number; z: number } }) =>
    blocks.push(`${x} ${y} ${z}`),
  )
  let position = { x: 0, y: 0, z: 0 }
  client.on('start_game', (packet: { player_position: typeof position }) => (position = packet.player_position))
  let timer: NodeJS.Timeout | undefined
  try {
    await new Promise<void>((resolve, reject) => {
      timer = setTimeout(reject, timeoutMs, new Error('did not come to stand in the world'))
      client.once('spawn', () => resolve())
      client.on('error', reject)
      client.once('close', () => reject(new Error('did not come to stand in the world: it was cut off')))
      client.once('kick', ({ message }: { message: string }) => reject(new Error(`kicked: ${message}`)))
    })
  } catch (error) {
    client.close()
    throw error
  } finally {
    clearTimeout(timer)
  }
  return {
    position,
    texts,
    blocks,
    chat: (message) =>
      client.queue('text', {
        type: 'chat',
        category: 'authored',
        needs_translation: false,
        source_name: username,
        message,
        xuid: '',
        platform_chat_id: '',
        has_filtered_message: false,
      }),
    command: (text) =>
      client.queue('command_request', {
        command: text,
        origin: { type: 'player', uuid: '', request_id: '', player_entity_id: 0n },
        internal: false,
        version: '52',
      }),
    async leave() {
      client.disconnect('left')
      await closed
    },
  }
}
