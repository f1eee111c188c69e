/** Console commands that the library lacks; the others are its own. */
import type { Serenity } from '@serenityjs/core'
import { printLine } from './console.ts'
import type { PlayerLists } from './player-lists.ts'

type Parts = {
  serenity: Serenity
  lists: PlayerLists
  maxPlayers: number
  stop(): Promise<void>
  save(): Promise<void>
}

/** @returns what runs one line */
export function createCommands({ serenity, lists, maxPlayers, stop, save }: Parts) {
  const players = () => [...serenity.players.values()]

  function runAllowlist(action: string, name: string): void {
    if (action === 'add') lists.add(name)
    else if (action === 'remove') lists.remove(name)
    else if (action === 'reload') lists.reload()
    else if (action === 'on' || action === 'off') lists.enforce(action === 'on')
    else if (action !== 'list') return printLine('ERROR', 'Usage: allowlist <add|remove|list|on|off|reload> [name]')
    printLine('INFO', `Allow list: ${lists.names().join(', ')}`)
  }

  const own: Record<string, (words: string) => Promise<void> | void> = {
    stop,
    list: () =>
      printLine(
        'INFO',
        `There are ${players().length}/${maxPlayers} players online:\n${players()
          .map(({ username }) => username)
          .join(', ')}`,
      ),
    say(words) {
      for (const player of players()) player.sendMessage(`[Server] ${words}`)
      printLine('INFO', `[Server] ${words}`)
    },
    /** `save hold`, `save query` and `save resume` are how backups are taken of a real one. */
    async save(words) {
      await save()
      printLine('INFO', words === 'query' ? 'Data saved. Files are now ready to be copied.' : 'Saving...')
    },
    testforblock(words) {
      const [x = 0, y = 0, z = 0, wanted = ''] = words.split(' ')
      const [at, name] = [{ x: Number(x), y: Number(y), z: Number(z) }, String(wanted)]
      const { identifier } = serenity.getWorld().getDimension().getBlock(at)
      const isThere = identifier === name || identifier === `minecraft:${name}`
      if (isThere) printLine('INFO', `Successfully found the block at ${at.x}, ${at.y}, ${at.z}.`)
      else printLine('ERROR', `The block at ${at.x}, ${at.y}, ${at.z} is ${identifier} (expected: ${name}).`)
    },
    allowlist(words) {
      const [action = '', ...name] = words.split(' ')
      runAllowlist(action, name.join(' ').replaceAll('"', ''))
    },
  }
  own['whitelist'] = own['allowlist']!

  return async function run(line: string): Promise<void> {
    const [, name = '', words = ''] = /^(\S+)\s*(.*)$/.exec(line) ?? []
    try {
      if (Object.hasOwn(own, name)) return await own[name]!(words)
      const answer = await serenity.getWorld().getDimension().executeCommandAsync(line)
      if (answer?.message) printLine('INFO', answer.message)
    } catch (error) {
      printLine('ERROR', (error as Error).message)
    }
  }
}
