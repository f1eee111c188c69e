/** The API as an operator's service manager starts it: by itself, and no child of ours. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loginLocal } from '@wakestone/contract/accounts/users-routes'
import { loadSecrets } from '@wakestone/kit/secrets'
import { startScript } from '../bench/fixtures/start-script.ts'
import { createCookieClient } from './support/api.ts'
import { createTestDatabase } from './support/database.ts'

test('its first start makes the administrator', { timeout: 60_000 }, async () => {
  await using database = await createTestDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'ws-alone-'))
  const api = await startScript(join(import.meta.dirname, '../apps/server/src/api.ts'), {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    HTTP_HOST: '127.0.0.1',
    HTTP_PORT: '0',
    METRICS_PORT: '0',
    LOG_LEVEL: 'info',
    NODE_ENV: 'test',
    PUBLIC_URL: 'http://localhost',
  })
  try {
    const { call } = createCookieClient(api.origin)
    const { adminPassword } = loadSecrets(dataDir)
    const user = await call(loginLocal, { body: { login: 'admin', password: adminPassword } })
    expect(user.user_capabilities).toMatchObject({ admin: true })
  } finally {
    await api.stop()
    rmSync(dataDir, { recursive: true })
  }
})
