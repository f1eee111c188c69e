/**
 * flying-squid as it is, of any version of the game that it speaks: `node old-game.ts VERSION PORT`. Its world is kept in
 * the folder that it runs in.
 */
import { join } from 'node:path'
import { flyingSquid, type Squid } from '../../../../engines/flying-squid/src/game/library.ts'

const [version = '', port] = process.argv.slice(2)
const options = {
  version,
  host: '127.0.0.1',
  port: Number(port),
  motd: `A game of ${version}`,
  'max-players': 20,
  'online-mode': false,
  'view-distance': 2,
  gameMode: 1,
  difficulty: 1,
  generation: { name: 'superflat', options: {} },
  worldFolder: join(process.cwd(), 'world'),
  plugins: {},
  logging: false,
  hideErrors: true,
  kickTimeout: 30_000,
  'everybody-op': false,
  'player-list-text': { header: { text: '' }, footer: { text: '' } },
  debug: () => {},
  // The status is answered only once players can come in: an answer means ready (see the engine of ours).
  beforePing: (answer: object, _client: unknown, reply: (error: null, answer: object | false) => void) =>
    reply(null, isReady && answer),
}
let isReady = false
const serv: Squid = flyingSquid.createMCServer(options as unknown as Parameters<typeof flyingSquid.createMCServer>[0])

/** The library's own saving comes later than its end, and forgets what changes meanwhile. */
async function saveAndEnd(): Promise<void> {
  const { columns, storageProvider } = serv.overworld
  for (const [key, column] of Object.entries(columns)) {
    const [x = 0, z = 0] = key.split(',').map(Number)
    await storageProvider?.save(x, z, column)
  }
  process.exit(0)
}
serv.once('ready', () => {
  isReady = true
  serv.overworld.stopSaving()
  Object.assign(serv, { quit: saveAndEnd }) // what its command `stop` calls
})
