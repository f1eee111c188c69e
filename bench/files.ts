/**
 * Measures the files service as its own process beside the system's tools: lists, archives, search, uploads and downloads,
 * and its memory during all that.
 */
import { spawn, spawnSync } from 'node:child_process'
import { createReadStream, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { Agent, type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { connect } from 'node:net'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import { reportFigure } from './fixtures/figure.ts'
import { median } from './fixtures/median.ts'

const PROGRAM = resolve(import.meta.dirname, '../apps/files/build/files.mjs')
const NODE_FLAGS = ['--max-semi-space-size=1', '--max-old-space-size=160', '--no-warnings']
const ROUNDS = 3
const ENTRIES = 100_000
const FILES = 10_000
const TEXT_BYTES = 300e6
const UPLOAD_BYTES = 300e6
const PART_BYTES = 16 * 1024 * 1024
const serverId = '5b9ac2a0-1f3f-4c8e-9d2f-2f1f5f3a7c11'

const folder = mkdtempSync(join(tmpdir(), 'wsb-'))
const data = join(folder, 'data')
const socketPath = join(folder, 'files.sock')
mkdirSync(data)
const keys = generateKeyPairSync('ed25519')
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const claims = { aud: 'files', purpose: 'control', server: serverId, exp: Math.trunc(Date.now() / 1000) + 3600 }
const unsigned = `${encode({ alg: 'EdDSA' })}.${encode(claims)}`
const token = `${unsigned}.${sign(null, Buffer.from(unsigned), keys.privateKey).toString('base64url')}`

const agent = new Agent({ keepAlive: true })

const service = await startService()
try {
  await withPeak('lists', measureLists)
  await withPeak('archives', measureArchives)
  await withPeak('search', measureSearch)
  await withPeak('transfers', measureTransfers)
} finally {
  service.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}

async function startService() {
  const config = join(folder, 'config.json')
  const publicKey = keys.publicKey.export({ type: 'spki', format: 'pem' })
  writeFileSync(
    config,
    JSON.stringify({ serverId, listen: { socket: socketPath }, publicKey, volume: data, diskBytes: 50e9 }),
  )
  const env = { ...process.env, NODE_COMPILE_CACHE: join(folder, 'cache') }
  spawnSync(process.execPath, [...NODE_FLAGS, PROGRAM], { env })
  const start = async () => {
    const began = performance.now()
    const child = spawn(process.execPath, [...NODE_FLAGS, PROGRAM, config], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    for await (const line of createInterface({ input: child.stdout })) if (line.includes('"listening"')) break
    return { child, ms: performance.now() - began }
  }
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const { child, ms } = await start()
    times.push(ms)
    if (round === ROUNDS - 1) {
      reportFigure('files service: from its start until it listens', median(times), 'ms')
      reportFigure('files service: resident while idle', memory(child.pid!), 'MB', { atMost: 60 })
      return child
    }
    child.kill('SIGKILL')
  }
  throw new Error('no rounds')
}

function memory(pid: number, which = 'VmRSS') {
  return Number(new RegExp(`^${which}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

/** Its own memory: pages of Node.js's program are shared by all that run it. */
async function withPeak(what: string, work: () => Promise<void>) {
  let most = 0
  const timer = setInterval(() => (most = Math.max(most, memory(service.pid!, 'RssAnon'))), 20)
  await work()
  clearInterval(timer)
  reportFigure(`files service: most memory of its own with ${what}`, most, 'MB', { atMost: 60 })
}

function open(
  method: string,
  path: string,
  options: { headers?: Record<string, string | number>; send?: (to: NodeJS.WritableStream) => Promise<void> } = {},
) {
  return new Promise<IncomingMessage>((done, fail) => {
    const sent = request(
      { socketPath, method, path, agent, headers: { authorization: `Bearer ${token}`, ...options.headers } },
      done,
    )
    sent.on('error', fail)
    if (options.send) options.send(sent).catch(fail)
    else sent.end()
  })
}

/** The whole answer's length, or its text. */
async function read(response: IncomingMessage): Promise<{ bytes: number; text: string }> {
  let bytes = 0
  let text = ''
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (text.length < 1e6) text += chunk.toString('latin1')
  }
  if (response.statusCode! >= 400) throw new Error(`answered ${response.statusCode} ${text}`)
  return { bytes, text }
}

async function post(path: string, body: object) {
  const text = JSON.stringify(body)
  const send = async (to: NodeJS.WritableStream) => void to.end(text)
  return JSON.parse(
    (await read(await open('POST', path, { headers: { 'content-length': Buffer.byteLength(text) }, send }))).text,
  )
}

async function runJob(body: object) {
  const { id } = await post('/v1/jobs', body)
  const { text } = await read(await open('GET', `/v1/jobs/${id}/stream`))
  const last = JSON.parse(text.trim().split('\n').at(-2)!)
  if (last.state !== 'done') throw new Error(`job ${last.state}: ${JSON.stringify(last.error)}`)
}

async function time(work: () => Promise<unknown> | unknown): Promise<number> {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}

/** Both in turn, so that what else the machine does hits both. @returns how many times as fast ours is */
async function compare(ours: () => Promise<unknown>, theirs: () => unknown, before: () => void = () => {}) {
  const ratios: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    before()
    const reference = await time(theirs)
    before()
    ratios.push(reference / (await time(ours)))
  }
  return median(ratios)
}

function run(command: string, args: string[], cwd = data) {
  const { status, stderr } = spawnSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] })
  if (status !== 0) throw new Error(`${command}: ${stderr}`)
}

async function measureLists() {
  const path = join(data, 'many')
  mkdirSync(path)
  for (let index = 0; index < ENTRIES; index++) writeFileSync(join(path, `r.${index}.${index % 7}.mca`), '')
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++)
    times.push(await time(async () => read(await open('GET', '/v1/list?path=many'))))
  reportFigure('list of 100 000 entries', median(times), 's', { atMost: 1 })
  const named = await time(async () => read(await open('GET', '/v1/search?path=&name=*.99999.*')))
  reportFigure('search by name in 100 000 entries', named, 's')
  rmSync(path, { recursive: true })
}

async function measureArchives() {
  const words = Array.from({ length: 4_000 }, () => randomBytes(3).toString('hex'))
  for (let index = 0; index < FILES; index++) {
    const inner = join(data, 'tree', `d${index % 100}`)
    mkdirSync(inner, { recursive: true })
    const length = [50, 200, 800, 3_000][index % 4]!
    writeFileSync(
      join(inner, `f${index}.txt`),
      Array.from({ length }, (_, at) => words[(index * 31 + at * 7 + ((at * at) % 97)) % words.length]).join(' '),
    )
  }
  run('bsdtar', ['-cf', 'tree.zip', '--format', 'zip', 'tree'])
  const clear = () => rmSync(join(data, 'out'), { recursive: true, force: true })
  const unzip = await compare(
    () => runJob({ kind: 'unpack', path: 'tree.zip', to: 'out' }),
    () => run('unzip', ['-q', 'tree.zip', '-d', 'out']),
    clear,
  )
  reportFigure('unzip of 10 000 files against unzip', unzip, '×', { atLeast: 0.6 })
  clear()
  const tar = await compare(
    async () => read(await open('GET', '/v1/archive?path=tree&format=tar.zst')),
    () => run('sh', ['-c', 'tar --zstd -cf - tree | cat >/dev/null']),
  )
  reportFigure('tar.zst of 10 000 files against tar', tar, '×', { atLeast: 0.7 })
  const copy = await compare(
    () => runJob({ kind: 'copy', from: ['tree'], to: '', overwrite: 'keep-both' }),
    () => run('cp', ['-a', 'tree', 'tree (2)']),
    () => rmSync(join(data, 'tree (2)'), { recursive: true, force: true }),
  )
  reportFigure('copy of 10 000 files against cp', copy, '×')
  for (const name of ['tree', 'tree (2)', 'tree.zip']) rmSync(join(data, name), { recursive: true, force: true })
}

async function measureSearch() {
  const line = '[12:00:00] [Server thread/INFO]: Steve moved too quickly! 12.5,0.0,-3.25\n'
  const text = line.repeat(Math.trunc(3e6 / line.length))
  for (let index = 0; index < TEXT_BYTES / 3e6; index++) {
    mkdirSync(join(data, 'logs', String(index % 10)), { recursive: true })
    writeFileSync(join(data, 'logs', String(index % 10), `${index}.log`), `${text}a needle ${index}\n`)
  }
  const search = await compare(
    async () => read(await open('GET', '/v1/search?path=logs&content=NEEDLE')),
    () => run('grep', ['-rniF', 'NEEDLE', 'logs']),
  )
  reportFigure('search in 300 MB against grep -r', search, '×', { atLeast: 0.5 })
  rmSync(join(data, 'logs'), { recursive: true })
}

async function measureTransfers() {
  const source = join(folder, 'source')
  for (let left = UPLOAD_BYTES; left > 0; left -= 10e6) writeFileSync(source, randomBytes(10e6), { flag: 'a' })
  let round = 0
  const upload = async () => {
    const { id } = await post('/v1/uploads', { path: `uploaded-${round++}`, size: UPLOAD_BYTES })
    for (let offset = 0; offset < UPLOAD_BYTES; offset += PART_BYTES) {
      const end = Math.min(offset + PART_BYTES, UPLOAD_BYTES) - 1
      const send = (to: NodeJS.WritableStream) =>
        pipeline(createReadStream(source, { start: offset, end, highWaterMark: 256 * 1024 }), to)
      await read(
        await open('PATCH', `/v1/uploads/${id}`, {
          headers: { 'upload-offset': offset, 'content-length': end - offset + 1 },
          send,
        }),
      )
    }
  }
  const sink = await startSink()
  const send = () =>
    new Promise<void>((done, fail) => {
      const socket = connect(
        sink.path,
        () => void pipeline(createReadStream(source, { highWaterMark: 256 * 1024 }), socket).catch(fail),
      )
      socket.on('close', () => done()).resume()
    })
  const clear = () => run('sh', ['-c', 'rm -f uploaded-* copied'])
  reportFigure('upload of 300 MB against a bare copy through a socket', await compare(upload, send, clear), '×', {
    atLeast: 0.5,
  })
  sink.end()
  reportFigure(
    'upload of 300 MB against cp',
    await compare(upload, () => run('cp', ['../source', 'copied']), clear),
    '×',
  )
  run('cp', ['../source', 'copied'])
  const seconds = await time(async () => read(await open('GET', '/v1/read?path=copied')))
  reportFigure('download of 300 MB', UPLOAD_BYTES / 1e6 / seconds, 'MB/s')
}

/** The least that could take a file through a socket. */
async function startSink() {
  const path = join(folder, 'sink.sock')
  const target = join(data, 'copied')
  const script = `require('node:net').createServer({ allowHalfOpen: true }, (socket) => {
    const file = require('node:fs').createWriteStream(process.argv[2])
    socket.pipe(file).on('close', () => socket.end())
  }).listen(process.argv[1], () => console.log('listening'))`
  const child = spawn(process.execPath, ['-e', script, path, target], { stdio: ['ignore', 'pipe', 'inherit'] })
  process.once('exit', () => child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return { path, end: () => child.kill('SIGKILL') }
}
