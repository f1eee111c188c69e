/**
 * Keeps a player waiting in the configuration state, tells how long it takes, and has the client connect anew once the
 * game is up. The name stays unproven: the game itself asks for the proof afterwards.
 */
import type { Socket } from 'node:net'
import type { ByteQueue } from '@wakestone/minecraft/byte-queue'
import {
  canShowDialog,
  MAX_CONFIGURATION_BYTES,
  readClientLanguage,
  readConfigurationKeepAlive,
  toServer,
  writeConfigurationDisconnect,
  writeConfigurationKeepAlive,
  writeLoginSuccess,
  writeNoticeDialog,
  writeTransfer,
} from '@wakestone/minecraft/configuration'
import { type Packet, readPacket } from '@wakestone/minecraft/packet'
import { ProtocolError } from '@wakestone/minecraft/protocol-error'
import { type TextComponent, textFromSpans, type TextSpan } from '@wakestone/minecraft/text'

/** The client gives up after 30 s without a word, and takes us for dead after 15 s without an answer of its own. */
const KEEP_ALIVE_MS = 8_000
const SILENCE_MS = 30_000
const PROGRESS_MS = 3_000
/** All that a waiting client may say: its settings, its mods, an answer to each keep-alive. */
const MAX_HEARD_BYTES = 256 * 1024
/** For the client to leave by itself once it has been sent on. */
const LEAVE_MS = 5_000

export type Notice = { title: TextSpan[]; text: TextSpan[] }

/**
 * Resolves when the player is gone or has been sent on.
 * @param room.queue what the client sent and nobody has read yet; the login start is read.
 * @param room.whenUp resolves with whether the game is up; whatever it says, the waiting is over then.
 */
export function waitInRoom(room: {
  socket: Socket
  queue: ByteQueue
  protocol: number
  uuid: Buffer
  name: string
  /** Where the client is sent: what it dialled. */
  host: string
  port: number
  whenUp: Promise<boolean>
  progress: () => Notice
  apology: () => TextSpan[]
  onTransfer: () => void
  /** How often the client is to answer. */
  beatMs?: number
  /** It has answered, or told its settings. */
  onHeard?: (what: 'answer' | { language: string }) => void
}): Promise<void> {
  const { socket, queue, protocol, beatMs = KEEP_ALIVE_MS } = room
  let acknowledged = false
  let isOver = false
  let heard = 0
  let lastId = 0n
  let shown = ''
  let beating: NodeJS.Timeout | undefined
  let telling: NodeJS.Timeout | undefined
  const silence = setTimeout(() => socket.destroy(), SILENCE_MS)
  /** What was decided before the client could be told. */
  let verdict: boolean | undefined
  const asText = (spans: TextSpan[]): TextComponent => textFromSpans(spans, protocol)

  function onData(chunk: Buffer) {
    heard += chunk.length
    if (heard > MAX_HEARD_BYTES) return void socket.destroy()
    queue.push(chunk)
    read()
  }

  function read() {
    try {
      for (let packet = next(); packet && !socket.destroyed; packet = next()) take(packet)
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      socket.destroy()
    }
  }

  function next() {
    const packet = readPacket(queue.peek(), MAX_CONFIGURATION_BYTES)
    if (packet) queue.skip(packet.size)
    return packet
  }

  function take(packet: Packet) {
    if (!acknowledged) {
      if (packet.id !== toServer.loginAcknowledged) throw new ProtocolError('login not acknowledged')
      acknowledged = true
      if (verdict === undefined) begin()
      else finish(verdict)
    } else if (packet.id === toServer.settings) {
      room.onHeard?.({ language: readClientLanguage(packet) })
      tell()
    } else if (packet.id === toServer.keepAlive && readConfigurationKeepAlive(packet) === lastId) {
      silence.refresh()
      room.onHeard?.('answer')
    }
  }

  function begin() {
    beat()
    tell()
    beating = setInterval(beat, beatMs)
    telling = setInterval(tell, PROGRESS_MS)
  }

  function beat() {
    lastId += 1n
    socket.write(writeConfigurationKeepAlive(lastId))
  }

  function tell() {
    if (isOver || !canShowDialog(protocol)) return
    const { title, text } = room.progress()
    const dialog = { title: asText(title), text: asText(text) }
    const words = JSON.stringify(dialog)
    if (words === shown) return
    shown = words
    socket.write(writeNoticeDialog(dialog))
  }

  function finish(isUp: boolean) {
    if (isOver) return
    verdict = isUp
    if (!acknowledged) return
    isOver = true
    clearInterval(beating)
    clearInterval(telling)
    if (!isUp) return void socket.end(writeConfigurationDisconnect(asText(room.apology())))
    room.onTransfer()
    socket.write(writeTransfer(room.host, room.port))
    setTimeout(() => socket.end(), LEAVE_MS).unref()
  }

  return new Promise((resolve) => {
    socket.once('close', () => {
      isOver = true
      clearTimeout(silence)
      clearInterval(beating)
      clearInterval(telling)
      resolve()
    })
    socket.on('end', () => socket.end())
    socket.on('data', onData)
    socket.write(writeLoginSuccess({ protocol, uuid: room.uuid, name: room.name }))
    read()
    socket.resume()
    void room.whenUp.then(finish)
  })
}
