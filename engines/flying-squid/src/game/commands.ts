/** Console commands that the library lacks or does otherwise than Vanilla. */
import type { Player, Squid } from './library.ts'

type Actions = {
  stop(): Promise<void>
  /** @returns whether everything could be written */
  saveAll(): Promise<boolean>
  /** Whether the world is written now and then. */
  keepSaving(isOn: boolean): void
  maxPlayers: number
}

export function addCommands(serv: Squid, { stop, saveAll, keepSaving, maxPlayers }: Actions): void {
  const sayTo = (player: Player | undefined, text: string) => (player ? player.system(text) : serv.info(text))

  serv.commands.add({ base: 'stop', info: 'Stop the server', usage: '/stop', op: true, action: () => stop() })
  serv.commands.add({
    base: 'say',
    info: 'Send a message to everybody',
    usage: '/say <message>',
    op: true,
    parse: (text) => text || false,
    action(message: string, { player }) {
      const line = `[${player?.username ?? 'Server'}] ${message}`
      serv.broadcast(line)
      serv.info(line)
    },
  })
  serv.commands.add({
    base: 'list',
    info: 'List the players',
    usage: '/list',
    action(_: never, { player }) {
      const names = serv.players.map((one) => one.username).join(', ')
      sayTo(player, `There are ${serv.players.length} of a max of ${maxPlayers} players online: ${names}`)
    },
  })
  for (const [base, isOn, answer] of [
    ['save-off', false, 'Automatic saving is now disabled'],
    ['save-on', true, 'Automatic saving is now enabled'],
  ] as const)
    serv.commands.add({
      base,
      info: answer,
      usage: `/${base}`,
      op: true,
      action(_: never, { player }) {
        keepSaving(isOn)
        sayTo(player, answer)
      },
    })
  serv.commands.add({
    base: 'save-all',
    info: 'Save the world',
    usage: '/save-all [flush]',
    op: true,
    async action(_: never, { player }) {
      sayTo(player, 'Saving the game (this may take a moment!)')
      sayTo(player, (await saveAll()) ? 'Saved the game' : 'Unable to save the game (is there enough disk space?)')
    },
  })
}
