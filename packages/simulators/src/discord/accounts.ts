/** Who can be logged in at the stand-in for Discord. */
import { createHash } from 'node:crypto'

/** As `/users/@me` shows it. */
export type DiscordAccount = {
  id: string
  username: string
  global_name: string | null
  avatar: string | null
  email: string | null
  verified: boolean
}

export const sampleAccounts: readonly DiscordAccount[] = [
  {
    id: '180000000000000001',
    username: 'lantern_keeper',
    global_name: 'Lantern Keeper',
    avatar: null,
    email: 'keeper@discord.example',
    verified: true,
  },
  {
    id: '180000000000000002',
    username: 'demo_friend',
    global_name: 'Demo',
    avatar: null,
    email: 'demo@wakestone.local',
    verified: true,
  },
  {
    id: '180000000000000003',
    username: 'night_owl',
    global_name: null,
    avatar: null,
    email: 'owl@discord.example',
    verified: false,
  },
]

/** An account with any address, the same one each time. Undefined for what is no address. */
export function ownAccount(given: string): DiscordAccount | undefined {
  const email = given.trim().toLowerCase()
  const [, local] = /^([^@\s]+)@[^@\s]+$/.exec(email) ?? []
  if (local === undefined) return undefined
  const id = (createHash('sha256').update(email).digest().readBigUInt64BE() >> 2n) + 10n ** 17n
  return {
    id: String(id),
    username: local.replace(/[^a-z0-9_.]+/g, '_').slice(0, 32),
    global_name: null,
    avatar: null,
    email,
    verified: true,
  }
}
