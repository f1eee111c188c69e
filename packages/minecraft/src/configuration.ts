/**
 * What it takes to keep a player waiting between login and world, in the configuration state, and to send them back.
 * Ids and fields are the same for protocols 766 to 775 (Minecraft 1.20.5 to 26.1), but for what is noted.
 */
import { createFieldReader, type Packet, writePacket, writeString } from './packet.ts'
import { ProtocolError } from './protocol-error.ts'
import { type PacketNbt, writePacketNbt } from './packet-nbt.ts'
import type { TextComponent } from './text.ts'
import { writeVarInt } from './var-int.ts'

const OLDEST = 766
const NEWEST = 775
/** The last protocol whose login success ends in a boolean. */
const LAST_WITH_STRICTNESS = 767
const FIRST_WITH_DIALOGS = 771

/** Ids of packets to the client. */
export const toClient = {
  loginSuccess: 0x02,
  disconnect: 0x02,
  keepAlive: 0x04,
  transfer: 0x0b,
  showDialog: 0x12,
} as const
/** Ids of packets to the server; the first one ends the login state. */
export const toServer = { loginAcknowledged: 0x03, settings: 0x00, keepAlive: 0x04 } as const

/** Room for what a client says of itself: language, brand, channels of its mods. */
export const MAX_CONFIGURATION_BYTES = 32_768

/** Whether clients of a protocol can wait in the configuration state and follow a transfer from there. */
export const canWaitInConfiguration = (protocol: number) => protocol >= OLDEST && protocol <= NEWEST
export const canShowDialog = (protocol: number) => protocol >= FIRST_WITH_DIALOGS && protocol <= NEWEST

/** Ends the login without encryption or compression. @param uuid sixteen bytes. */
export function writeLoginSuccess({ protocol, uuid, name }: { protocol: number; uuid: Buffer; name: string }): Buffer {
  const properties = writeVarInt(0)
  const strictness = protocol <= LAST_WITH_STRICTNESS ? [Buffer.from([0])] : []
  return writePacket(toClient.loginSuccess, uuid, writeString(name), properties, ...strictness)
}

/** To be echoed by the client within 15 s. */
export function writeConfigurationKeepAlive(id: bigint): Buffer {
  const field = Buffer.alloc(8)
  field.writeBigInt64BE(id)
  return writePacket(toClient.keepAlive, field)
}

export function readConfigurationKeepAlive(packet: Packet): bigint {
  if (packet.id !== toServer.keepAlive) throw new ProtocolError('not a keep-alive')
  return createFieldReader(packet.data).bytes(8).readBigInt64BE()
}

/** The client's language, such as `pl_pl`, which it tells first among its settings. */
export function readClientLanguage(packet: Packet): string {
  if (packet.id !== toServer.settings) throw new ProtocolError('not settings')
  return createFieldReader(packet.data).string(16)
}

/** Has the client connect anew, with intent `transfer`, to exactly what is given. */
export function writeTransfer(host: string, port: number): Buffer {
  return writePacket(toClient.transfer, writeString(host), writeVarInt(port))
}

/** Ends the connection with a reason. */
export function writeConfigurationDisconnect(reason: TextComponent): Buffer {
  return writePacket(toClient.disconnect, writePacketNbt(reason as PacketNbt))
}

/** Shows a window with a title, a text and a button that closes it; replaces one that is shown already. */
export function writeNoticeDialog(notice: { title: TextComponent; text: TextComponent }): Buffer {
  return writePacket(
    toClient.showDialog,
    writePacketNbt({
      type: 'minecraft:notice',
      title: notice.title as PacketNbt,
      body: { type: 'minecraft:plain_message', contents: notice.text as PacketNbt },
      can_close_with_escape: true,
      pause: false,
      after_action: 'close',
    }),
  )
}
