/** flying-squid as it is, of any version of the game that it speaks: `node old-game.ts VERSION PORT`. */
import { flyingSquid } from '../../../../engines/flying-squid/src/game/library.ts'

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
  plugins: {},
  logging: false,
  hideErrors: true,
  kickTimeout: 30_000,
  'everybody-op': false,
  'player-list-text': { header: { text: '' }, footer: { text: '' } },
  debug: () => {},
}
flyingSquid.createMCServer(options as unknown as Parameters<typeof flyingSquid.createMCServer>[0])
