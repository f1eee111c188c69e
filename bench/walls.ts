/** What the walls cost: bytes on their way to a game, and the start of a server, beside the same without walls. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import type { Cluster, GameAddress } from '../apps/server/src/adapters/clusters/cluster.ts'
import { openSandboxBench } from '../apps/server/src/adapters/clusters/process/test-support/sandbox-bench.ts'
import { reportFigure } from './fixtures/figure.ts'

const STARTS = 9
const ROUNDS = 7
const BYTES = 192 * 1024 ** 2
const CHUNK = Buffer.alloc(64 * 1024, 1)
/** Answers when it has got all. */
const SINK = `
  import { createServer } from 'node:net'
  createServer((socket) => {
    let got = 0
    socket.on('data', (chunk) => { if ((got += chunk.length) >= ${BYTES}) socket.end('all') }).on('error', () => {})
  }).listen(Number(process.argv[2]), '127.0.0.1', () => console.log('listening'))`

const bench = await openSandboxBench()
try {
  const bare = bench.openCluster({ networkMeans: [], withoutQuota: true })
  await bench.cluster.check()
  await bare.check()
  const [walled, open] = [await placeSink(bench.cluster), await placeSink(bare)]
  const rates: { walled: number; open: number }[] = []
  // In turns, so that the machine's other work meets both alike.
  for (let round = 0; round < ROUNDS; round++) rates.push({ walled: await send(walled), open: await send(open) })
  const middle = (values: number[]) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!
  const rateOf = (way: 'walled' | 'open') => middle(rates.map((rate) => rate[way]))
  reportFigure('bytes to a game within walls', rateOf('walled'), 'MB/s')
  reportFigure(
    'bytes to a game within walls, beside without',
    middle(rates.map((rate) => rate.walled / rate.open)),
    '×',
    {
      atLeast: 0.7,
    },
  )

  const starts: { walled: number; open: number }[] = []
  for (let start = 0; start < STARTS; start++)
    starts.push({ walled: await timePlacing(bench.cluster), open: await timePlacing(bare) })
  const added = middle(starts.map((start) => start.walled)) - middle(starts.map((start) => start.open))
  reportFigure('walls: added to the start of a server', added, 's', { atMost: 0.3 })
} finally {
  await bench.close()
}

async function placeSink(cluster: Cluster): Promise<GameAddress> {
  const serverId = randomUUID()
  const { endpoint, game } = await cluster.place({ serverId, limits: { ...bench.limits, cpu: 2 } })
  const client = bench.connect(serverId, endpoint)
  await client.install(await bench.packScript(SINK))
  await bench.reach(client, ['stopped'])
  await client.start()
  while (!(await answers(game)));
  return game
}

function answers(game: GameAddress): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(game)
    socket.on('connect', () => resolve(socket.destroy() !== undefined))
    socket.on('error', () => resolve(false))
  })
}

/** Megabytes a second. */
async function send(game: GameAddress): Promise<number> {
  const socket = connect(game)
  await once(socket, 'connect')
  const start = performance.now()
  const all = once(socket, 'data')
  for (let sent = 0; sent < BYTES; sent += CHUNK.length) if (!socket.write(CHUNK)) await once(socket, 'drain')
  await all
  socket.destroy()
  return BYTES / 1e6 / ((performance.now() - start) / 1000)
}

/** Seconds until a new server's supervisor can be talked to. */
async function timePlacing(cluster: Cluster): Promise<number> {
  const serverId = randomUUID()
  const start = performance.now()
  await cluster.place({ serverId, limits: bench.limits })
  const seconds = (performance.now() - start) / 1000
  await cluster.remove(serverId, { volume: 'delete' })
  return seconds
}
