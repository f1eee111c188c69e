/** A server that was brought over, with a real worker: it is prepared and not started, and has its files and its database. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { loginLocal, verify } from '@wakestone/contract/accounts/users-routes'
import { getFileStat } from '@wakestone/contract/servers/files-routes'
import * as mysql from '@wakestone/contract/servers/mysql-routes'
import * as routes from '@wakestone/contract/servers/servers-routes'
import { createCookieClient, startTestApi, type TestApi } from '../support/api.ts'
import { addServer, dumpOf, knownHash, knownPassword, makePanel } from '../support/imports/panel-dump.ts'
import { openImports } from '../support/imports/run-import.ts'
import { isUp, prepareArtifacts, startTestWorker, untilStatus } from '../support/servers.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 180_000 })

let api: TestApi
let worker: Awaited<ReturnType<typeof startTestWorker>>
let imports: ReturnType<typeof openImports>
beforeAll(async () => {
  api = await startTestApi()
  await prepareArtifacts(api)
  imports = openImports(api)
  worker = await startTestWorker(api)
})
afterAll(async () => {
  imports?.close()
  await worker?.stop()
  await worker?.removeAll()
  await api?.close()
})

/** As `mysqldump` writes it, with the locks that it takes. */
const shop = `-- MySQL dump 10.13
/*!40101 SET NAMES utf8mb4 */;
DROP TABLE IF EXISTS \`coins\`;
CREATE TABLE \`coins\` (
  \`player\` varchar(40) NOT NULL,
  \`amount\` int NOT NULL,
  PRIMARY KEY (\`player\`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
LOCK TABLES \`coins\` WRITE;
/*!40000 ALTER TABLE \`coins\` DISABLE KEYS */;
INSERT INTO \`coins\` VALUES ('Alex',5),('Zoë',7);
/*!40000 ALTER TABLE \`coins\` ENABLE KEYS */;
UNLOCK TABLES;
`

test('is prepared, has what it had, and is started by its owner', async () => {
  const panel = makePanel({ users: 1, password: knownHash })
  panel.tables.eggs[0]!['name'] = 'Squid'
  const uuid = addServer(panel, { owner: 1, name: 'Lagoon', memory: 6144, disk: 20_480 })
  for (const [id, database] of [
    [1, 's1_shop'],
    [2, 's1_other'],
  ] as const)
    panel.tables.databases.push({ id, server_id: 1, database_host_id: 1, database, username: 'u1' })
  const volume = join(imports.folder, 'volumes', uuid)
  mkdirSync(join(volume, 'world'), { recursive: true })
  writeFileSync(join(volume, 'world/notes.txt'), 'of the old panel')
  mkdirSync(join(imports.folder, 'databases'))
  writeFileSync(join(imports.folder, 'databases/s1_shop.sql'), shop)
  writeFileSync(join(imports.folder, 'databases/s1_other.sql'), shop)

  const dump = imports.save('panel.sql', dumpOf(panel))
  const options = { files: imports.folder, eggs: { Squid: 'flying-squid' }, waitMinutes: 3 }
  const report = await imports.bring('pterodactyl', dump, options)
  expect(report.totals).toEqual({
    account: { made: 1 },
    balance: {},
    server: { made: 1 },
    files: { made: 1 },
    database: { made: 1, 'left out': 1 },
  })

  const { call } = createCookieClient(api.origin)
  await call(loginLocal, { body: { login: 'player_1', password: knownPassword } })
  const user = await call(verify, {})
  const { id } = report.lines.find(({ kind }) => kind === 'server') ?? {}
  const params = { id: id ?? '' }
  const status = await call(routes.getServerStatus, { params })
  expect(status).toMatchObject({ game_status: 'IRL_TERMINATED', activity: null, launched: null })
  expect(await call(getFileStat, { params, query: { path: 'world/notes.txt' } })).toMatchObject({ size: 16 })
  const { tables } = await call(mysql.listMysqlTables, { params })
  expect(tables.map(({ name }) => name)).toEqual(['coins'])
  const { rows } = await call(mysql.listMysqlRows, { params, query: { table: 'coins' } })
  expect(rows).toEqual([
    ['Alex', '5'],
    ['Zoë', '7'],
  ])

  await call(routes.startServer, { params })
  await untilStatus({ call }, params.id, isUp, 120_000)
  expect(user.username).toBe('player_1')
  // Who plays already keeps it.
  const undone = await imports.undo(report.import_id)
  expect(undone.kept.map(({ kind, reason }) => [kind, reason])).toEqual([
    ['server', 'it was started'],
    ['account', 'it has servers or money'],
  ])
})
