/** Console commands that the library lacks or does otherwise than Vanilla. */
import { type Player, type Squid, Vec3 } from './library.ts'

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
  const online = (name: string | undefined) =>
    serv.players.find((player) => player.username?.toLowerCase() === name?.toLowerCase())
  serv.commands.add({
    base: 'tell',
    info: 'Send a message to one player',
    usage: '/tell <player> <message>',
    op: true,
    parse: (text) => /^(\w{1,16}) (.+)$/.exec(text) ?? false,
    action([, name, message]: string[], { player }) {
      const target = online(name)
      if (target) target.system(`${player?.username ?? 'Server'} whispers to you: ${message}`)
      sayTo(player, target ? `You whisper to ${target.username}: ${message}` : 'No player was found')
    },
  })
  // The library's own is for players alone.
  for (const base of ['tp', 'teleport'])
    serv.commands.add({
      base,
      info: 'Put a player somewhere else',
      usage: `/${base} <player> <x> <y> <z>, or <player> <player>`,
      op: true,
      parse: (text) => /^(\w{1,16}) (?:(-?[\d.]+) (-?[\d.]+) (-?[\d.]+)|(\w{1,16}))$/.exec(text) ?? false,
      action([, name, x, y, z, other]: (string | undefined)[], { player }) {
        const [target, to] = [online(name), online(other)]
        const place = other === undefined ? new Vec3(Number(x), Number(y), Number(z)) : to?.position
        if (!target || !place) return sayTo(player, 'No player was found')
        target.teleport(place)
        sayTo(player, `Teleported ${target.username}`)
      },
    })
  serv.commands.add({
    base: 'data',
    info: 'Tell what is known of a player',
    usage: '/data get entity <player> <Pos|Dimension>',
    op: true,
    parse: (text) => /^get entity (\w{1,16}) (Pos|Dimension)$/.exec(text) ?? false,
    action([, name, path]: string[], { player }) {
      const target = online(name)
      if (!target) return sayTo(player, 'No entity was found')
      const { x, y, z } = target.position
      const value = path === 'Pos' ? `[${[x, y, z].map((one) => `${one}d`).join(', ')}]` : '"minecraft:overworld"'
      sayTo(player, `${target.username} has the following entity data: ${value}`)
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
