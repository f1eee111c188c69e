/**
 * A RakNet server that lets somebody in as far as it takes to be read: clients show why they were sent away only once the
 * connection stands. Works for 1.21.42 to 1.26.51, which take the first packet of the game before a compression is agreed.
 */
import { readDatagram, writeFrame, writeReceipt } from './frames.ts'
import {
  RAKNET_VERSION,
  type RakNetAddress,
  readOpenRequest1,
  readOpenRequest2,
  uint16,
  uint64,
  writeAddress,
  writeIncompatible,
  writeOpenReply1,
  writeOpenReply2,
} from './raknet.ts'

const ids = { ping: 0x00, pong: 0x03, request: 0x09, accepted: 0x10, goodbye: 0x15, game: 0xfe }
const DISCONNECT_PACKET = 5
const INTERNAL_ADDRESSES = 20

export type Farewell = {
  /** @returns what to send back, and whether the text has been told */
  answer(bytes: Buffer): { replies: Buffer[]; isTold: boolean }
}

/** @param text what the player is to read; colours by `§` */
export function createFarewell(options: { guid: bigint; client: RakNetAddress; text: string }): Farewell {
  const { guid, client, text } = options
  let sent = 0
  let isTold = false

  const frame = (payload: Buffer) => writeFrame(payload, { sequence: sent, index: sent++ })

  function answerPayload(payload: Buffer): Buffer[] {
    if (payload[0] === ids.request && payload.length >= 17)
      return [frame(writeAccepted(client, payload.subarray(9, 17)))]
    if (payload[0] === ids.ping && payload.length >= 9)
      return [frame(Buffer.concat([Buffer.of(ids.pong), payload.subarray(1, 9), uint64(0n)]))]
    if (payload[0] !== ids.game || isTold) return []
    isTold = true
    const told = frame(writeDisconnect(text))
    // Nobody is there to send it again if it gets lost; what comes twice is taken once.
    return [told, told, frame(Buffer.of(ids.goodbye))]
  }

  return {
    answer(bytes) {
      const first = readOpenRequest1(bytes)
      if (first?.version === RAKNET_VERSION) return { replies: [writeOpenReply1({ guid, mtu: first.mtu })], isTold }
      if (first) return { replies: [writeIncompatible(guid)], isTold: true }
      const second = readOpenRequest2(bytes)
      if (second) return { replies: [writeOpenReply2({ guid, mtu: second.mtu, client })], isTold }
      const datagram = readDatagram(bytes)
      if (datagram?.kind !== 'frames') return { replies: [], isTold }
      const replies = [writeReceipt(datagram.sequence), ...datagram.payloads.flatMap(answerPayload)]
      return { replies, isTold }
    },
  }
}

function writeAccepted(client: RakNetAddress, time: Buffer): Buffer {
  const nowhere = writeAddress({ address: '0.0.0.0', port: 0 })
  const internal = Array<Buffer>(INTERNAL_ADDRESSES).fill(nowhere)
  return Buffer.concat([Buffer.of(ids.accepted), writeAddress(client), uint16(0), ...internal, time, time])
}

/** The game's packet that ends a session, alone in a batch that is not compressed. */
export function writeDisconnect(text: string): Buffer {
  // Some clients try to inflate a batch first. No stream begins with these three bits, which are those of its length.
  let padded = text
  while ((bodyOf(padded).length & 0b110) !== 0b110) padded += ' '
  const body = bodyOf(padded)
  return Buffer.concat([Buffer.of(ids.game), varInt(body.length), body])
}

function bodyOf(text: string): Buffer {
  const message = Buffer.from(text)
  return Buffer.concat([
    Buffer.of(DISCONNECT_PACKET),
    Buffer.of(0), // reason: unknown, so that the text is what is shown
    Buffer.of(0), // the text is not hidden
    varInt(message.length),
    message,
    varInt(0), // no other text for those who filter
  ])
}

function varInt(value: number): Buffer {
  const bytes: number[] = []
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) return Buffer.from([...bytes, rest])
    bytes.push((rest & 0x7f) | 0x80)
  }
}
