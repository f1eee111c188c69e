/** The two packets of the login state that need no knowledge of versions. */
import { createFieldReader, type Packet, writePacket, writeString } from './packet.ts'
import { ProtocolError } from './protocol-error.ts'
import { plainText, type TextComponent } from './text.ts'

/** Room for a name, and for the signed key that 1.19 to 1.19.2 append. */
export const MAX_LOGIN_START_BYTES = 4096

/** The name a player claims; nothing proves it. What versions append (id, key) is left alone. */
export function readLoginStart(packet: Packet): string {
  if (packet.id !== 0) throw new ProtocolError('not a login start')
  return createFieldReader(packet.data).string(16)
}

/** The sixteen bytes of the id that clients since 1.20.2 send with their name. */
export function readLoginUuid(packet: Packet): Buffer {
  const fields = createFieldReader(packet.data)
  fields.string(16)
  return fields.bytes(16)
}

/** @param uuid sixteen bytes, which clients since 1.20.2 send. */
export function writeLoginStart(name: string, uuid?: Buffer): Buffer {
  return writePacket(0, writeString(name), ...(uuid ? [uuid] : []))
}

/** Ends a login with a reason. In this state it is JSON in every version. */
export function writeLoginDisconnect(reason: TextComponent): Buffer {
  return writePacket(0, writeString(JSON.stringify(reason)))
}

/** The words of a login disconnect. */
export function readLoginDisconnect(packet: Packet): string {
  if (packet.id !== 0) throw new ProtocolError('not a login disconnect')
  const json = createFieldReader(packet.data).string(262_144)
  try {
    return plainText(JSON.parse(json))
  } catch {
    throw new ProtocolError('reason is not JSON')
  }
}
