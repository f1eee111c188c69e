import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sshHostKeys } from './ssh-host-keys.ts'

test('keys follow from the secret alone, and OpenSSH reads them', () => {
  const secret = 'ab'.repeat(32)
  const keys = sshHostKeys(secret)
  expect(sshHostKeys(secret)).toEqual(keys)
  expect(sshHostKeys('cd'.repeat(32)).map(({ fingerprint }) => fingerprint)).not.toEqual(
    keys.map(({ fingerprint }) => fingerprint),
  )
  const folder = mkdtempSync(join(tmpdir(), 'ws-keys-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const { algorithm, privateKey, fingerprint } of keys) {
    const file = join(folder, algorithm)
    writeFileSync(file, privateKey, { mode: 0o600 })
    const line = execFileSync('ssh-keygen', ['-y', '-f', file], { encoding: 'utf8' })
    expect(line.startsWith(`${algorithm} `)).toBe(true)
    writeFileSync(`${file}.pub`, line)
    expect(execFileSync('ssh-keygen', ['-l', '-f', `${file}.pub`], { encoding: 'utf8' })).toContain(fingerprint)
  }
})
