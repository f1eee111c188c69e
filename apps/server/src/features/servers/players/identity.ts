/** Which account a name stands for, where a list is written without the game. */
import { createHash } from 'node:crypto'
import { DomainError } from '@wakestone/contract/errors'
import { offlineUuid } from '@wakestone/minecraft/worlds/access-lists'
import type { Players as ToldPlayers } from '@wakestone/protocol/files'
import { findProfile } from '#src/adapters/minecraft-profiles/client.ts'
import type { Context } from '#src/context.ts'

const plainName = /^\w{1,16}$/

/** The UUID that a game which checks no accounts gives a name. */
export const offlineId = (name: string) => offlineUuid(name, (text) => createHash('md5').update(text).digest())

/**
 * What is known here goes first; a game that checks accounts goes by Mojang's word, another one makes UUIDs of names.
 * @throws DomainError player_not_foound where nobody is called that, minecraft_profiles_unavailable
 */
export async function identify(
  { settings }: Pick<Context, 'settings'>,
  told: ToldPlayers,
  name: string,
): Promise<{ uuid: string; name: string }> {
  const lower = name.toLowerCase()
  const lists = [told.known, told.whitelist, told.operators, told.bans]
  for (const list of lists)
    for (const one of list)
      if (one.id !== null && one.name?.toLowerCase() === lower) return { uuid: one.id, name: one.name }
  // Those who come over a bridge have UUIDs of its own making.
  if (!plainName.test(name)) throw new DomainError('player_not_foound', { resource: 'minecraft_profile' })
  if (!told.onlineMode) return { uuid: offlineId(name), name }
  const profile = await findProfile(settings.MOJANG_PROFILES_URL, name)
  if (profile === undefined) throw new DomainError('player_not_foound', { resource: 'minecraft_profile' })
  return { uuid: profile.id, name: profile.name }
}
