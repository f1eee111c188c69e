import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadSecrets } from '@wakestone/kit/secrets'
import { readSettings } from '@wakestone/kit/settings'
import { type Database, openDatabase } from '#src/db/client.ts'
import { createTestDatabase, type TestDatabase } from '../../../../../../tests/support/database.ts'
import { requireOwnKeys } from './service.ts'

let made: TestDatabase
let database: Database
const folders: string[] = []
beforeAll(async () => {
  made = await createTestDatabase()
  database = openDatabase({ url: made.url, onError: () => {} })
})
afterAll(async () => {
  await database.close()
  await made.drop()
  for (const folder of folders) rmSync(folder, { recursive: true })
})

function installation() {
  const dataDir = mkdtempSync(join(tmpdir(), 'ws-keys-'))
  folders.push(dataDir)
  return { db: database.db, secrets: loadSecrets(dataDir), settings: readSettings({ DATA_DIR: dataDir }) }
}

test('a database goes on with the keys it was first used with, and refuses others by saying which folder is wrong', async () => {
  const own = installation()
  await Promise.all(Array.from({ length: 4 }, () => requireOwnKeys(own)))
  const other = installation()
  await expect(requireOwnKeys(other)).rejects.toThrow(
    `other keys than those in ${other.settings.DATA_DIR}/secrets.json`,
  )
  await requireOwnKeys(own)
  await database.db.deleteFrom('installation').execute()
  await requireOwnKeys(other)
})
