/**
 * The server list ping of clients before Minecraft 1.7. Three forms are in use:
 * `FE` (up to 1.3), `FE 01` (1.4, 1.5) and `FE 01 FA` with the plugin message `MC|PingHost` (1.6, and many tools).
 */
import { ProtocolError } from './protocol-error.ts'

export type LegacyPing =
  | { form: 'beta' }
  | { form: '1.4' }
  /** Only this form tells which server is meant. */
  | { form: '1.6'; protocol: number; host: string; port: number }

const CHANNEL = utf16('MC|PingHost')
/** `FE 01 FA`, length of the channel's name, the name. */
const PREFIX = Buffer.concat([Buffer.from([0xfe, 0x01, 0xfa, 0x00, 0x0b]), CHANNEL])
const MAX_HOST_CHARS = 255

function utf16(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16()
}

function fromUtf16(bytes: Buffer): string {
  return Buffer.from(bytes).swap16().toString('utf16le')
}

/**
 * Recognises a legacy ping at the start of a connection.
 *
 * `FE` and `FE 01` are also how a handshake of 254 bytes begins, so as long as nothing follows the answer is `open`:
 * more may come, and if nothing does within a moment it was the short form given beside it.
 *
 * @returns undefined when it is something else.
 * @throws ProtocolError when the 1.6 form is malformed.
 */
export function readLegacyPing(bytes: Buffer): LegacyPing | { open: LegacyPing | undefined } | undefined {
  if (bytes.length === 0) return { open: undefined }
  if (bytes[0] !== 0xfe) return undefined
  if (bytes.length === 1) return { open: { form: 'beta' } }
  if (bytes[1] !== 0x01) return undefined
  if (bytes.length === 2) return { open: { form: '1.4' } }
  if (bytes[2] !== 0xfa) return undefined
  const known = Math.min(bytes.length, PREFIX.length)
  if (bytes.compare(PREFIX, 0, known, 0, known) !== 0) throw new ProtocolError('unknown legacy message')
  // u16 length of the rest, u8 protocol, u16 characters of host, host, i32 port
  const fields = bytes.subarray(PREFIX.length)
  if (fields.length < 5) return { open: undefined }
  const hostChars = fields.readUInt16BE(3)
  if (hostChars > MAX_HOST_CHARS || fields.readUInt16BE(0) !== 7 + 2 * hostChars) {
    throw new ProtocolError('legacy ping of a wrong length')
  }
  const hostEnd = 5 + 2 * hostChars
  if (fields.length < hostEnd + 4) return { open: undefined }
  return {
    form: '1.6',
    protocol: fields.readUInt8(2),
    host: fromUtf16(fields.subarray(5, hostEnd)),
    port: fields.readInt32BE(hostEnd),
  }
}

/** A ping as a client of that age sends it. */
export function writeLegacyPing(ping: LegacyPing): Buffer {
  if (ping.form === 'beta') return Buffer.from([0xfe])
  if (ping.form === '1.4') return Buffer.from([0xfe, 0x01])
  const fields = Buffer.alloc(5)
  fields.writeUInt16BE(7 + 2 * ping.host.length, 0)
  fields.writeUInt8(ping.protocol, 2)
  fields.writeUInt16BE(ping.host.length, 3)
  const port = Buffer.alloc(4)
  port.writeInt32BE(ping.port)
  return Buffer.concat([PREFIX, fields, utf16(ping.host), port])
}

export type LegacyStatus = { protocol: number; version: string; motd: string; online: number; max: number }

/** The answer, in the form that the asking client knows: before 1.4 the message cannot hold colours. */
export function writeLegacyResponse(form: LegacyPing['form'], status: LegacyStatus): Buffer {
  const motd = status.motd.replaceAll('\0', '')
  const fields =
    form === 'beta'
      ? [motd.replace(/§./gsu, '').replaceAll('§', ''), status.online, status.max].join('§')
      : ['§1', status.protocol, status.version, motd, status.online, status.max].join('\0')
  const text = utf16(fields.slice(0, 0xffff))
  const head = Buffer.from([0xff, 0, 0])
  head.writeUInt16BE(text.length / 2, 1)
  return Buffer.concat([head, text])
}

function count(value: string | undefined): number {
  return Math.trunc(Number(value)) || 0
}

/**
 * Reads an answer of either form. Counts that are no numbers become 0.
 * @returns undefined while it is incomplete.
 */
export function readLegacyResponse(bytes: Buffer): LegacyStatus | undefined {
  if (bytes.length > 0 && bytes[0] !== 0xff) throw new ProtocolError('not a legacy answer')
  if (bytes.length < 3) return undefined
  const size = 3 + 2 * bytes.readUInt16BE(1)
  if (bytes.length < size) return undefined
  const text = fromUtf16(bytes.subarray(3, size))
  if (text.startsWith('§1\0')) {
    const [, protocol, version = '', motd = '', online, max] = text.split('\0')
    return { protocol: count(protocol), version, motd, online: count(online), max: count(max) }
  }
  const [motd = '', online, max] = text.split('§')
  return { protocol: 0, version: '', motd, online: count(online), max: count(max) }
}
