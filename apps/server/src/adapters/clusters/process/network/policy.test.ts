import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createPolicy, findResolverFault } from './policy.ts'

const none = { internet: true, reachable: [], resolvers: [] }
function fileWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'wsd-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'resolv.conf'), text)
  return join(folder, 'resolv.conf')
}

test('whom the machine asks is asked, unless that is the machine itself, which is said', () => {
  const own = fileWith('nameserver 127.0.0.53\nnameserver ::1\n')
  const asked = fileWith('# as it came\nnameserver 192.0.2.1\nnameserver 2001:db8::1\nnameserver fe80::1%eth0\n')
  expect(createPolicy(none, [own, asked]).resolvers).toEqual(['192.0.2.1', '2001:db8::1'])
  expect(findResolverFault(createPolicy(none, [own, asked]))).toBeUndefined()
  const nobody = createPolicy(none, [own, '/nowhere/resolv.conf'])
  expect(nobody.resolvers).toEqual([])
  expect(findResolverFault(nobody)).toContain('SERVER_DNS')
  expect(findResolverFault({ ...nobody, internet: false })).toBeUndefined()
  expect(findResolverFault(createPolicy({ ...none, resolvers: ['1.1.1.1'] }, [own]))).toBeUndefined()
})
