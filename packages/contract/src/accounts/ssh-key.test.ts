import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSshKeyBody, readSshKey, sshKeyAlgorithms } from './ssh-key.ts'

const part = (bytes: Buffer | string) => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(Buffer.from(bytes).length)
  return Buffer.concat([length, Buffer.from(bytes)])
}
const line = (algorithm: string, ...parts: (Buffer | string)[]) =>
  `${algorithm} ${Buffer.concat([algorithm, ...parts].map(part)).toString('base64')} me@home`
const point = (bytes: number) => Buffer.concat([Buffer.from([4]), Buffer.alloc(bytes - 1, 7)])

test.each([
  line('ssh-ed25519', Buffer.alloc(32, 1)),
  line('ecdsa-sha2-nistp256', 'nistp256', point(65)),
  line('ecdsa-sha2-nistp521', 'nistp521', point(133)),
  line('ssh-rsa', Buffer.from([1, 0, 1]), Buffer.concat([Buffer.from([0]), Buffer.alloc(256, 200)])),
])('%s is a key', (text) => {
  expect(readSshKey(`  ${text}\n`)).toMatchObject({ algorithm: text.split(' ')[0], comment: 'me@home' })
})

test.each([
  ['none', ''],
  ['of an old kind', line('ssh-dss', Buffer.alloc(20))],
  ['too short', line('ssh-rsa', Buffer.from([1, 0, 1]), Buffer.alloc(128, 200))],
  ['cut off', line('ssh-ed25519', Buffer.alloc(31, 1))],
  ['longer than itself', line('ssh-ed25519', Buffer.alloc(32, 1), 'more')],
  ['of another curve', line('ecdsa-sha2-nistp256', 'nistp384', point(97))],
  ['called another name', line('ssh-ed25519', Buffer.alloc(32)).replace('ssh-ed25519', 'ssh-rsa')],
  ['with options', `command="x" ${line('ssh-ed25519', Buffer.alloc(32))}`],
  ['two', `${line('ssh-ed25519', Buffer.alloc(32))}\n${line('ssh-ed25519', Buffer.alloc(32))}`],
])('a key that is %s is none', (_, text) => {
  expect(readSshKey(text)).toBeUndefined()
})

test('a private key is told apart', () => {
  const wrong = createSshKeyBody.safeParse({ name: 'x', public_key: '-----BEGIN OPENSSH PRIVATE KEY-----\nabc' })
  expect(wrong.error?.issues).toMatchObject([{ message: 'ssh_private_key' }])
})

test('whatever is pasted is read or refused', () => {
  const any = fc.tuple(fc.constantFrom(...sshKeyAlgorithms), fc.uint8Array({ maxLength: 600 }), fc.string())
  fc.assert(
    fc.property(any, ([algorithm, bytes, comment]) => {
      readSshKey(`${algorithm} ${Buffer.from(bytes).toString('base64')} ${comment}`)
      readSshKey(comment)
    }),
  )
})
