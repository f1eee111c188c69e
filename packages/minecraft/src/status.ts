/** The server list's exchange: an empty request, a JSON answer, then a ping that is echoed. */
import { createFieldReader, type Packet, writePacket, writeString } from './packet.ts'
import { ProtocolError } from './protocol-error.ts'
import type { TextComponent } from './text.ts'
import { writeVarInt } from './var-int.ts'

export type ServerStatus = {
  version: { name: string; protocol: number }
  players: { max: number; online: number; sample?: { name: string; id: string }[] }
  description: TextComponent
  /** `data:image/png;base64,…` of 64×64. */
  favicon?: string
  enforcesSecureChat?: boolean
}

/** What a status request looks like on the wire. */
export const STATUS_REQUEST = writePacket(0)

/** Most UTF-16 units of the JSON answer, as clients count. */
const MAX_STATUS_CHARS = 32_767
/** Bytes that such an answer may take. */
export const MAX_STATUS_BYTES = MAX_STATUS_CHARS * 3 + 8

export function writeStatusResponse(status: ServerStatus): Buffer {
  return writePacket(0, writeString(JSON.stringify(status)))
}

/**
 * The same as what stands before and behind the icon, as texts of bytes (`latin1`): who answers for many servers holds
 * each picture once, and copies none.
 * @param iconLength of an icon of nothing but ASCII that needs no escape in JSON; 0: there is none, nor anything behind it.
 */
export function frameStatusResponse(
  status: Omit<ServerStatus, 'favicon'>,
  iconLength: number,
): { before: string; behind: string } {
  const json = JSON.stringify(status)
  const [text, behind] = iconLength === 0 ? [json, ''] : [`${json.slice(0, -1)},"favicon":"`, '"}']
  const bytes = Buffer.from(text)
  const id = writeVarInt(0)
  const length = writeVarInt(bytes.length + iconLength + behind.length)
  const size = writeVarInt(id.length + length.length + bytes.length + iconLength + behind.length)
  return { before: Buffer.concat([size, id, length, bytes]).toString('latin1'), behind }
}

/** Old servers break the lines of what they encode. */
const ICON = /^data:image\/png;base64,[A-Za-z0-9+/=\n]{1,40000}$/

/** What can be trusted of a foreign server's answer. */
export type StatusSummary = {
  version: string
  protocol: number
  online: number
  max: number
  /** Names of the players the server chose to show; some invent lines of text here. */
  names: string[]
  /** A text component of any shape; see `plainText`. */
  description: unknown
  /** A data URL of a PNG image. */
  icon: string | null
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function asCount(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? Math.trunc(value) : 0
}

/**
 * Reads a status answer; fields that are missing or of a wrong type become empty ones.
 * @throws ProtocolError when it is no JSON object.
 */
export function readStatusResponse(packet: Packet): StatusSummary {
  if (packet.id !== 0) throw new ProtocolError('not a status response')
  const json = createFieldReader(packet.data).string(MAX_STATUS_CHARS)
  let parsed: unknown
  try {
    parsed = JSON.parse(json)
  } catch {
    throw new ProtocolError('status is not JSON')
  }
  if (typeof parsed !== 'object' || parsed === null) throw new ProtocolError('status is not an object')
  const { version, players, description, favicon } = asRecord(parsed)
  const { name, protocol } = asRecord(version)
  const { online, max, sample } = asRecord(players)
  return {
    version: typeof name === 'string' ? name : '',
    protocol: asCount(protocol),
    online: asCount(online),
    max: asCount(max),
    names: (Array.isArray(sample) ? sample : [])
      .map((player) => asRecord(player).name)
      .filter((player) => typeof player === 'string'),
    description,
    icon: typeof favicon === 'string' && ICON.test(favicon) ? favicon.replaceAll('\n', '') : null,
  }
}

/** @param payload eight bytes that the server returns untouched. */
export function writePing(payload: Buffer): Buffer {
  return writePacket(1, payload)
}

/** The payload of a ping or pong. @throws ProtocolError when it is none. */
export function readPing(packet: Packet): Buffer {
  if (packet.id !== 1 || packet.data.length !== 8) throw new ProtocolError('not a ping')
  return packet.data
}
