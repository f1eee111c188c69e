/** The first packet of every connection since Minecraft 1.7, and how a host name is taken from it. */
import { createFieldReader, type Packet, writePacket, writeString, writeUint16 } from './packet.ts'
import { ProtocolError } from './protocol-error.ts'
import { writeVarInt } from './var-int.ts'

/** What the client wants: the server list's entry, to join, or to join after a transfer (since protocol 766). */
const intents = { 1: 'status', 2: 'login', 3: 'transfer' } as const
export type Intent = (typeof intents)[keyof typeof intents]

export type Handshake = {
  protocol: number
  /** As sent, with whatever mods and proxies appended; see `cleanHost`. */
  host: string
  port: number
  intent: Intent
}

/**
 * Room for a host name with everything that forwarders append: BungeeCord adds address, id and the player's
 * signed skin to the 255 characters of the vanilla protocol.
 */
export const MAX_HANDSHAKE_BYTES = 8192

/** @throws ProtocolError when the packet is no handshake. */
export function readHandshake(packet: Packet): Handshake {
  if (packet.id !== 0) throw new ProtocolError('not a handshake')
  const fields = createFieldReader(packet.data)
  const protocol = fields.varInt()
  const host = fields.string(MAX_HANDSHAKE_BYTES)
  const port = fields.uint16()
  const intent = intents[fields.varInt() as keyof typeof intents]
  if (!intent) throw new ProtocolError('unknown next state')
  return { protocol, host, port, intent }
}

export function writeHandshake({ protocol, host, port, intent }: Handshake): Buffer {
  const nextState = intent === 'status' ? 1 : intent === 'login' ? 2 : 3
  return writePacket(0, writeVarInt(protocol), writeString(host), writeUint16(port), writeVarInt(nextState))
}

/**
 * The host name a player typed, for looking up a route only; what is forwarded stays untouched.
 * Cuts what Forge (`\0FML…`, `\0FORGE…`), BungeeCord (`\0address…`), TCPShield (`///…`), infinity-filter (`\…`) and
 * Minecraft since 26.4 (`?key=value…`) append, drops the dots of an absolute name and lowers the case.
 */
export function cleanHost(host: string): string {
  const end = host.search(/\0|\/\/\/|\\|\?/)
  return (end < 0 ? host : host.slice(0, end)).replace(/\.+$/, '').toLowerCase()
}

/** Whether the host bears the mark of a client with Forge or NeoForge, which only a game with the same mods can welcome. */
export const isMarkedByForge = (host: string) => /\0(?:FML|FORGE)/.test(host)
