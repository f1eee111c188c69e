import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { readBuildInfo } from './build-info.ts'

afterEach(() => vi.unstubAllEnvs())

test('the date of a build is what the sources say, and today only where nothing says more', () => {
  const root = mkdtempSync(join(tmpdir(), 'ws-build-'))
  try {
    writeFileSync(join(root, 'package.json'), '{"version":"1.2.3"}')
    vi.stubEnv('SOURCE_DATE_EPOCH', '1700000000')
    expect(readBuildInfo(root)).toEqual({ version: '1.2.3', date: '2023-11-14T22:13:20.000Z' })
    vi.stubEnv('SOURCE_DATE_EPOCH', undefined)
    const before = Date.now()
    expect(Date.parse(readBuildInfo(root).date)).toBeGreaterThanOrEqual(before)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
})
