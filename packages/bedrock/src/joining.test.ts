import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readSide, withOnlyCandidate } from './sdp.ts'
import { readBindingRequest } from './stun.ts'

const answer = [
  'v=0',
  'o=- 1 2 IN IP4 127.0.0.1',
  's=-',
  't=0 0',
  'a=identity:eyJhbGciOiJFUzM4NCJ9',
  'm=application 9 UDP/DTLS/SCTP webrtc-datachannel',
  'c=IN IP4 0.0.0.0',
  'a=candidate:1 1 udp 2122260223 198.18.0.2 20001 typ host generation 0',
  'a=candidate:2 1 tcp 1518280447 198.18.0.2 9 typ host tcptype active',
  'a=candidate:3 1 udp 2122262783 fe80::1 20002 typ host generation 0',
  'a=candidate:4 1 udp 1686052607 203.0.113.4 40000 typ srflx raddr 198.18.0.2 rport 20001',
  'a=candidate:5 1 UDP 2122260224 10.0.0.9 20003 typ host',
  'a=ice-ufrag:aB3+',
  'a=ice-pwd:0123456789abcdef01234567',
  'a=mid:0',
  '',
].join('\r\n')

test('of an answer, the ports that the game itself listens at are read, and no address', () => {
  expect(readSide(answer)).toEqual({ userFragment: 'aB3+', ports: [20003, 20001] })
  const changed = withOnlyCandidate(answer, { address: '203.0.113.7', port: 19132 })
  expect(changed.match(/a=candidate:.*/g)).toEqual([
    'a=candidate:1 1 udp 2130706431 203.0.113.7 19132 typ host generation 0',
  ])
  const without = (text: string) => text.split('\r\n').filter((line) => !/^a=(candidate|end-of)/.test(line))
  expect(without(changed)).toEqual(without(answer))
  expect(readSide(withOnlyCandidate(answer, undefined))).toEqual({ userFragment: 'aB3+', ports: [] })
})

test('whatever is sent in their place, it is read to its end', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 400 }), fc.array(fc.constantFrom(...answer.split('\r\n'))), (text, lines) => {
      const sdp = `${lines.join('\n')}\n${text}`
      const { ports } = readSide(sdp)
      for (const port of ports) expect(port).toBeGreaterThan(0)
      expect(readSide(withOnlyCandidate(sdp, undefined)).ports).toEqual(sdp.includes('m=') ? [] : ports)
    }),
  )
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void readBindingRequest(Buffer.from(bytes))))
})

test('a binding request names whom it is for', () => {
  const named = (name: string, cut = 0) => {
    const value = Buffer.from(name)
    const attributes = Buffer.concat([
      Buffer.from([0x80, 0x22, 0, 3, 1, 2, 3, 0]),
      Buffer.from([0, 6, 0, value.length]),
      value,
      Buffer.alloc((4 - (value.length % 4)) % 4),
    ])
    const head = Buffer.alloc(20)
    head.writeUInt16BE(1, 0)
    head.writeUInt16BE(attributes.length, 2)
    head.writeUInt32BE(0x2112a442, 4)
    const whole = Buffer.concat([head, attributes])
    return whole.subarray(0, whole.length - cut)
  }
  expect(readBindingRequest(named('aB3+:zzzz'))).toBe('aB3+')
  expect(readBindingRequest(named('aB3+'))).toBeUndefined()
  for (let cut = 1; cut < 40; cut += 1) expect(readBindingRequest(named('aB3+:zzzzz', cut))).toBeUndefined()
})
