/** Files as a server has them that is played on: worlds, plugins, settings, a log, and something in the trash. */
import { deleteFiles, makeFolder } from '@wakestone/contract/servers/files-routes'
import type { createCookieClient } from '../../tests/support/api.ts'

const log = Array.from({ length: 120 }, (_, line) => {
  const level = line % 41 === 7 ? 'WARN' : 'INFO'
  return `[19:${String(line % 60).padStart(2, '0')}:07] [Server thread/${level}]: ${level === 'WARN' ? 'Skipping 41 ticks' : 'Saved the world'}\n`
}).join('')

const texts: Readonly<Record<string, string>> = {
  'bukkit.yml':
    'settings:\n  allow-end: true\n  warn-on-overload: true\nspawn-limits:\n  monsters: 50\n  animals: 10\n',
  'spigot.yml': 'settings:\n  bungeecord: false\nworld-settings:\n  default:\n    view-distance: default\n',
  'config/paper-global.yml': 'misc:\n  max-joins-per-tick: 5\n',
  'plugins/Essentials/config.yml': 'ops-name-color: none\n',
  'plugins/notes.txt': 'who built the bridge: Zosia\n',
  'logs/latest.log': log,
  'ops.json': '[\n  { "name": "Zosia", "level": 4 }\n]\n',
  'whitelist.json': '[]\n',
  'banned-players.json': '[]\n',
  'old-spawn.schem': 'x'.repeat(180_000),
}

export async function setFiles(
  { call, cookie }: ReturnType<typeof createCookieClient>,
  origin: string,
  serverId: string,
): Promise<void> {
  const params = { id: serverId }
  for (const path of ['config', 'plugins/Essentials', 'logs', 'world_nether', 'world_the_end'])
    await call(makeFolder, { params, body: { path } })
  for (const [path, text] of Object.entries(texts)) {
    const answer = await fetch(`${origin}/api/v1/servers/${serverId}/files/content?${new URLSearchParams({ path })}`, {
      method: 'PUT',
      headers: { cookie: cookie(), 'content-type': 'application/octet-stream' },
      body: text,
    })
    if (!answer.ok) throw new Error(`${path} cannot be saved: ${await answer.text()}`)
  }
  await call(deleteFiles, { params, body: { paths: ['old-spawn.schem', 'plugins/notes.txt'] } })
}
