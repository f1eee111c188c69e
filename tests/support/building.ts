/** What a player builds, and what they find. */
import { createRequire } from 'node:module'
import { setTimeout as delay } from 'node:timers/promises'
import type { Bot } from 'mineflayer'

export type Position = Bot['entity']['position']

/** What is seen there, once it is. */
export async function blockAt(bot: Bot, position: Position): Promise<string> {
  for (const deadline = Date.now() + 20_000; ; await delay(50)) {
    const name = bot.blockAt(position)?.name
    if (name !== undefined) return name
    if (Date.now() > deadline) throw new Error(`nothing is seen at ${position}`)
  }
}

const itemClass = createRequire(import.meta.url)('prismarine-item') as (
  registry: Bot['registry'],
) => new (id: number, count: number) => Parameters<Bot['creative']['setInventorySlot']>[1]

/** Lays a block onto the ground beside the player. @returns where it lies. */
export async function build(bot: Bot, name: string, east: number): Promise<Position> {
  const ground = bot.entity.position.floored().offset(east, 3, 1)
  await blockAt(bot, ground)
  while (bot.blockAt(ground)?.boundingBox !== 'block') ground.y -= 1
  const item = bot.registry.itemsByName[name]!
  await bot.creative.setInventorySlot(36, new (itemClass(bot.registry))(item.id, 5))
  bot.setQuickBarSlot(0)
  await bot.placeBlock(bot.blockAt(ground)!, ground.clone().set(0, 1, 0))
  return ground.offset(0, 1, 0)
}
