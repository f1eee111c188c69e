/** What is typed into a game's console about its players. Names and texts have passed the contract; here they pass again. */
import { isPlayerName, type PlayerAction } from '@wakestone/contract/servers/players'
import type { Game } from '@wakestone/contract/servers/server'
import { commandRequestSchema } from '@wakestone/protocol/supervisor'

export type PlayerOrder =
  | { order: 'whitelist'; action: 'add' | 'remove'; name: string }
  | { order: 'whitelist_state'; on: boolean }
  | { order: 'ban'; name: string; reason: string }
  | { order: 'pardon' | 'op' | 'deop'; name: string }
  | { order: 'ban_ip'; ip: string; reason: string }
  | { order: 'pardon_ip'; ip: string }
  | ({ order: 'act' } & PlayerAction)

const forbidden = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}§]/u
const address = /^[0-9a-fA-F.:]{2,45}$/

/**
 * One line for the console of a game of that edition.
 * @throws RangeError for what could end a line, stand for more than it says, or be unknown to that edition
 */
export function commandOf(game: Game, order: PlayerOrder): string {
  const line = build(game, order).trim()
  if (forbidden.test(line) || !commandRequestSchema.safeParse({ command: line }).success)
    throw new RangeError('no command')
  return line
}

function build(game: Game, order: PlayerOrder): string {
  const isBedrock = game === 'minecraft-bedrock'
  const called = (name: string) => {
    if (!isPlayerName(game, name)) throw new RangeError('name')
    return isBedrock ? `"${name}"` : name
  }
  switch (order.order) {
    case 'whitelist':
      return `${isBedrock ? 'allowlist' : 'whitelist'} ${order.action} ${called(order.name)}`
    case 'whitelist_state':
      return `${isBedrock ? 'allowlist' : 'whitelist'} ${order.on ? 'on' : 'off'}`
    case 'op':
    case 'deop':
      return `${order.order} ${called(order.name)}`
    case 'act':
      return act(order, called)
    default:
      // Bedrock's game knows no bans.
      if (isBedrock) throw new RangeError('bans')
  }
  switch (order.order) {
    case 'ban':
      return `ban ${called(order.name)} ${order.reason}`
    case 'pardon':
      return `pardon ${called(order.name)}`
    case 'ban_ip':
    case 'pardon_ip': {
      if (!address.test(order.ip)) throw new RangeError('address')
      return order.order === 'ban_ip' ? `ban-ip ${order.ip} ${order.reason}` : `pardon-ip ${order.ip}`
    }
  }
}

function act(order: PlayerAction, called: (name: string) => string): string {
  const name = called(order.name)
  switch (order.action) {
    case 'kick':
      return `kick ${name} ${order.reason}`
    case 'message':
      return `tell ${name} ${order.text}`
    case 'game_mode':
      return `gamemode ${order.mode} ${name}`
    case 'teleport':
      return `tp ${name} ${'name' in order.to ? called(order.to.name) : [order.to.x, order.to.y, order.to.z].map(plain).join(' ')}`
  }
}

/** Games read no exponents. */
const plain = (value: number) => String(Number(value.toFixed(3)))
