/**
 * Bytes of files through the panel, against what the machine does without it:
 *
 *   node bench/transfers.ts [--megabytes=300] [--rounds=5]
 *
 * Downloads (ticket, API, box beside the server) against nginx with sendfile; uploads in parts of 4 MiB (`fileLimits.chunkBytes`) that can be resumed
 * against the same sender to a program that writes to a file what comes over one connection.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  closeSync,
  createReadStream,
  createWriteStream,
  fsyncSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { request } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { listUserWallets } from '@wakestone/contract/accounts/users-routes'
import { createFileTicket } from '@wakestone/contract/servers/files-routes'
import { fileLimits } from '@wakestone/contract/servers/file-values'
import { createServer as rentServer } from '@wakestone/contract/servers/servers-routes'
import { createLogger } from '@wakestone/kit/logger'
import { loadSecrets } from '@wakestone/kit/secrets'
import { readSettings } from '@wakestone/kit/settings'
import pg from 'pg'
import { openCluster } from '../apps/server/src/adapters/clusters/fleet.ts'
import { provideArtifacts } from '../tests/support/artifacts.ts'
import { findFreePorts } from '../tests/support/ports.ts'
import { order } from '../tests/support/servers.ts'
import { startBenchApi, startBenchDatabase } from './fixtures/bench-product.ts'
import { reportFigure } from './fixtures/figure.ts'
import { median } from './fixtures/median.ts'

const rounds = Number(process.argv.find((word) => word.startsWith('--rounds='))?.split('=')[1] ?? 5)
const megabytes = Number(process.argv.find((word) => word.startsWith('--megabytes='))?.split('=')[1] ?? 300)
const size = megabytes * 1024 * 1024

const folder = mkdtempSync(join(tmpdir(), 'ws-transfers-'))
const source = join(folder, 'source.bin')
writeRandom(source)
const product = await startBenchDatabase()
try {
  const { engineVersion } = await provideArtifacts(product.dataDir)
  const { origin, call } = await startBenchApi(product)
  const serverId = await rentHibernated()
  const params = { id: serverId }

  const uploads: number[] = []
  const copies: number[] = []
  for (let round = 0; round < rounds; round++) {
    copies.push(await timed(() => copyOver(join(folder, 'copy.bin'))))
    uploads.push(await timed(() => upload('big.bin')))
  }
  const downloads: number[] = []
  const served: number[] = []
  const nginx = await startNginx()
  try {
    for (let round = 0; round < rounds; round++) {
      served.push(await timed(() => fetchAway(`${nginx.origin}/source.bin`)))
      const { url } = await call(createFileTicket, { params, body: { purpose: 'read', path: 'big.bin' } })
      downloads.push(await timed(() => fetchAway(`${origin}${url}`)))
    }
  } finally {
    await nginx.stop()
  }
  const rate = (times: number[]) => megabytes / median(times)
  reportFigure(`transfers: download of ${megabytes} MB through the panel`, rate(downloads), 'MB/s')
  reportFigure('transfers: nginx with sendfile', rate(served), 'MB/s')
  reportFigure('transfers: download against nginx', median(served) / median(downloads), '×', { atLeast: 0.5 })
  reportFigure(`transfers: resumable upload of ${megabytes} MB`, rate(uploads), 'MB/s')
  reportFigure('transfers: plain copy over one connection', rate(copies), 'MB/s')
  reportFigure('transfers: upload against the plain copy', median(copies) / median(uploads), '×', { atLeast: 0.5 })

  /** A server that nothing runs of. */
  async function rentHibernated(): Promise<string> {
    const user = await call(listUserWallets, { params: { id: await findUserId() } })
    const wallet = user.find(({ currency }) => currency === 'PLN')
    const { id } = await call(rentServer, {
      body: order(wallet?.id ?? '', engineVersion, { requested_billing_services: ['FREE'] }),
    })
    await query('update servers set prepared_at = now() where id = $1', [id])
    const settings = readSettings(product.env)
    const cluster = openCluster({
      settings,
      secrets: loadSecrets(product.dataDir),
      logger: createLogger({ part: 'bench', level: 'silent' }),
    })
    product.defer(() => cluster.remove(id, { volume: 'delete' }))
    return id
  }

  async function upload(path: string): Promise<void> {
    const body = { purpose: 'upload', path, size, overwrite: 'replace' } as const
    const { url } = await call(createFileTicket, { params, body })
    for (let offset = 0; offset < size; offset += fileLimits.chunkBytes) {
      const end = Math.min(size, offset + fileLimits.chunkBytes)
      const sending = request(`${origin}${url}`, {
        method: 'PATCH',
        headers: {
          'content-type': 'application/offset+octet-stream',
          'upload-offset': offset,
          'content-length': end - offset,
        },
      })
      const answered = once(sending, 'response')
      await pipeline(createReadStream(source, { start: offset, end: end - 1, highWaterMark: 256 * 1024 }), sending)
      const [answer] = await answered
      answer.resume()
      if (answer.statusCode !== 204) throw new Error(`a part was answered with ${answer.statusCode}`)
    }
  }
} finally {
  await product.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: product.databaseUrl })
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}

async function findUserId(): Promise<string> {
  const [row] = await query<{ id: string }>(`select id from users where username = 'demo'`)
  if (row === undefined) throw new Error('no demo customer')
  return row.id
}

function writeRandom(path: string): void {
  const piece = 8 * 1024 * 1024
  const fd = openSync(path, 'w')
  for (let written = 0; written < size; written += piece) writeSync(fd, randomBytes(Math.min(piece, size - written)))
  closeSync(fd)
}

/** Seconds. */
async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}

/** The same file, read and sent in the same way, to what writes it down and sees that the disk has it. */
async function copyOver(target: string): Promise<void> {
  const receiver = createServer({ allowHalfOpen: true }, (socket) => {
    const file = socket.pipe(createWriteStream(target))
    file.on('finish', () => {
      const fd = openSync(target, 'r+')
      fsyncSync(fd)
      closeSync(fd)
      socket.end('done')
    })
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const { port } = receiver.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  const done = once(socket, 'data')
  await pipeline(createReadStream(source, { highWaterMark: 256 * 1024 }), socket)
  await done
  receiver.close()
  if (statSync(target).size !== size) throw new Error('the copy is not whole')
}

async function fetchAway(url: string): Promise<void> {
  const curl = spawn('curl', ['-sS', '--fail', '-o', '/dev/null', '-w', '%{size_download}', url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let told = ''
  curl.stdout.on('data', (chunk) => (told += chunk))
  const [code] = await once(curl, 'close')
  if (code !== 0 || Number(told) !== size) throw new Error(`curl ended with ${code} after ${told} bytes`)
}

async function startNginx(): Promise<{ origin: string; stop: () => Promise<void> }> {
  const { http: port } = await findFreePorts()
  const config = join(folder, 'nginx.conf')
  writeFileSync(
    config,
    `worker_processes 1; daemon off; pid ${folder}/nginx.pid; error_log stderr; user root;
     events {}
     http { access_log off; sendfile on;
       ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')} server { listen 127.0.0.1:${port}; root ${folder}; } }`,
  )
  const nginx = spawn('nginx', ['-p', folder, '-c', config], { stdio: ['ignore', 'ignore', 'inherit'] })
  const address = `http://127.0.0.1:${port}`
  for (const deadline = Date.now() + 10_000; ; await new Promise((done) => setTimeout(done, 50))) {
    if (
      await fetch(address).then(
        () => true,
        () => false,
      )
    )
      break
    if (nginx.exitCode !== null || Date.now() > deadline) throw new Error('nginx did not start')
  }
  return {
    origin: address,
    async stop() {
      nginx.kill('SIGTERM')
      if (nginx.exitCode === null) await once(nginx, 'exit')
    },
  }
}
