/**
 * A game that keeps things in its server's MySQL: it answers status pings, and runs statements that are typed to it as
 * `sql <number> <password> <statement>` with MariaDB's own client, in its sandbox, as the game's user. What came of it is
 * in the file `sql-<number>` of its folder.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import type { TestApi } from './api.ts'
import { backupsOf } from './backups.ts'
import type { Caller } from './api.ts'
import { giveCommand } from './own-plan.ts'

const game = `
const { createServer } = require('node:net')
const { execFile } = require('node:child_process')
const { writeFileSync, renameSync } = require('node:fs')
const json = Buffer.from(JSON.stringify({ version: { name: 'sql', protocol: 0 }, players: { max: 7, online: 0 }, description: '' }))
const data = Buffer.concat([Buffer.from([0, json.length]), json])
const answer = Buffer.concat([Buffer.from([data.length]), data])
createServer((socket) => {
  let answered = false
  socket.on('error', () => {})
  socket.on('data', (bytes) => {
    if (!answered) socket.write(answer)
    answered = true
    if (bytes.at(-10) === 9 && bytes.at(-9) === 1) socket.write(bytes.subarray(-10))
  })
}).listen(Number(process.argv.at(-1)), '127.0.0.1')
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  if (line === 'stop') {
    console.log('Stopping the server')
    process.exit(0)
  }
  const [, number, password, statement] = /^sql (\\d+) (\\S+) (.*)$/.exec(line) ?? []
  if (number === undefined) return
  const login = ['--no-defaults', '--protocol=tcp', '-h127.0.0.1', '-uminecraft', '-p' + password, '-N', '-B', 'minecraft']
  execFile('/usr/bin/mariadb', [...login, '-e', statement], (error, out, complaint) => {
    writeFileSync('draft', (error ? complaint.trim() : out.trim()) + '\\n')
    renameSync('draft', 'sql-' + number)
  })
})
`

export const giveSqlGame = (api: Pick<TestApi, 'context'>, serverId: string) =>
  giveCommand(api, serverId, ['{NODE}', '-e', game, '{PORT}'])

let asked = 0

/** What the game's statement answers, or what MariaDB complains of. */
export async function sqlOfGame(
  api: Pick<TestApi, 'context'>,
  owner: Caller,
  { serverId, password }: { serverId: string; password: string },
  statement: string,
): Promise<string> {
  const number = ++asked
  const supervisor = await api.context.fleet.find(serverId)
  await supervisor?.command(`sql ${number} ${password} ${statement}`)
  const { inVolume } = backupsOf(api, owner, serverId)
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await delay(100)) {
    const text = await inVolume(`cat sql-${number} 2>/dev/null || echo none`)
    if (text !== 'none') return text
  }
  return expect.unreachable(`no answer to ${statement}`) as never
}
