/**
 * Mixed work on the files of many servers for a long time (`SOAK_MINUTES`, an hour): what comes back is what was sent, and
 * neither the API nor the files services need more memory at the end than in the beginning.
 */
import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import * as routes from '@wakestone/contract/servers/files-routes'
import type { FileJobBody } from '@wakestone/contract/servers/files'
import { type Caller, stayForYears } from '../support/api.ts'
import {
  ask,
  contentPath,
  createTicket,
  type FilesApi,
  linesOf,
  rentWithFiles,
  startFilesApi,
} from '../support/files.ts'
import { createRandom, type Random, seedOf } from '../support/random.ts'

const minutes = Number(process.env['SOAK_MINUTES'] ?? 60)
const servers = 20
/** At the same time, on servers of chance. */
const workers = 6
const sampleSeconds = 5
/** How much more may be needed at the end: what allocators keep, and luck. */
const growth = 1.15
const spareMegabytes = 12

const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Resident megabytes of the files services that this process has started. */
function readServices(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const status = readFileSync(`/proc/${pid}/status`, 'utf8')
        if (Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]) !== process.pid) return []
        if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('apps/files/src/main.ts')) return []
        return [Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024]
      } catch {
        return [] // it has just ended
      }
    })
}

type Sample = { minute: number; api: number; service: number }
const median = (numbers: number[]) => numbers.toSorted((one, other) => one - other)[numbers.length >> 1] ?? 0

/** Megabytes a minute, by least squares. */
function slopeOf(samples: Sample[], what: 'api' | 'service'): number {
  const mean = (read: (sample: Sample) => number) => samples.reduce((sum, one) => sum + read(one), 0) / samples.length
  const [x, y] = [mean(({ minute }) => minute), mean((one) => one[what])]
  const over = samples.reduce((sum, one) => sum + (one.minute - x) * (one[what] - y), 0)
  return over / samples.reduce((sum, { minute }) => sum + (minute - x) ** 2, 0)
}

test('memory stays flat', { timeout: (minutes + 5) * 60_000 }, async () => {
  const api = await startFilesApi({ LIMIT_FILE_CHANGES: '0' })
  try {
    const owners: { owner: Caller; id: string }[] = []
    for (let count = 0; count < servers; count++) {
      const owner = await stayForYears(api, await api.signUp())
      owners.push({ owner, id: await rentWithFiles(api, owner, { 'logs/latest.log': 'x'.repeat(200_000) }) })
    }
    const random = createRandom(seedOf('SOAK_SEED'))
    const began = Date.now()
    const minute = () => (Date.now() - began) / 60_000
    const busy = new Set<string>()
    const done = new Map<string, number>()
    async function work(own: Random) {
      while (minute() < minutes) {
        const one = own.pick(owners.filter(({ id }) => !busy.has(id)))
        busy.add(one.id)
        const [name, act] = own.pick(Object.entries(acts))
        await act(api, one, own).catch((error: unknown) => {
          throw new Error(`${name} after ${minute().toFixed(1)} minutes`, { cause: error })
        })
        done.set(name, (done.get(name) ?? 0) + 1)
        busy.delete(one.id)
      }
    }
    const samples: Sample[] = []
    async function watch() {
      while (minute() < minutes) {
        await delay(sampleSeconds * 1000)
        collect()
        const { heapUsed, external } = process.memoryUsage()
        const services = readServices()
        const service = services.reduce((sum, one) => sum + one, 0) / Math.max(1, services.length)
        samples.push({ minute: minute(), api: (heapUsed + external) / 1024 ** 2, service })
      }
    }
    await Promise.all([watch(), ...Array.from({ length: workers }, (_, index) => work(random.fork(index)))])

    // What is loaded and compiled first is no leak.
    const steady = samples.filter((sample) => sample.minute > Math.min(10, minutes / 3))
    const part = Math.ceil(steady.length / 4)
    for (const what of ['api', 'service'] as const) {
      const [first, last] = [steady.slice(0, part), steady.slice(-part)].map((some) => median(some.map((s) => s[what])))
      console.log(
        `${what}: ${first?.toFixed(1)} MB → ${last?.toFixed(1)} MB, ${slopeOf(steady, what).toFixed(2)} MB/min; ${JSON.stringify(Object.fromEntries(done))}`,
      )
      expect(last).toBeLessThan(first! * growth + spareMegabytes)
    }
  } finally {
    await api.close()
  }
})

type Act = (api: FilesApi, one: { owner: Caller; id: string }, random: Random) => Promise<unknown>
const acts: Record<string, Act> = { roundTrip, broken, listing, archive, copies, edits }

async function upload(api: FilesApi, { owner, id }: { owner: Caller; id: string }, path: string, bytes: Buffer) {
  const { url } = await createTicket(owner, id, { purpose: 'upload', path, size: bytes.length, overwrite: 'replace' })
  const middle = bytes.length >> 1
  for (const [from, to] of [
    [0, middle],
    [middle, bytes.length],
  ] as const) {
    const headers = { 'content-type': 'application/offset+octet-stream', 'upload-offset': `${from}` }
    const answer = await ask(api, undefined, url, { method: 'PATCH', body: bytes.subarray(from, to), headers })
    expect(answer.status, await answer.text()).toBe(204)
  }
}

/** Sent in two parts, and fetched back. */
async function roundTrip(...[api, one, random]: Parameters<Act>) {
  const bytes = randomBytes(1 + random.below(6_000_000))
  const path = `mods/${random.below(10)}.jar`
  await upload(api, one, path, bytes)
  const { url } = await createTicket(one.owner, one.id, { purpose: 'read', path })
  const answer = await ask(api, undefined, url)
  expect(digestOf(new Uint8Array(await answer.arrayBuffer()))).toBe(digestOf(bytes))
}

/** A download that nobody reads to its end. */
async function broken(...[api, one, random]: Parameters<Act>) {
  await upload(api, one, 'large.bin', randomBytes(4_000_000))
  const leaving = new AbortController()
  const { url } = await createTicket(one.owner, one.id, { purpose: 'read', path: 'large.bin' })
  const answer = await ask(api, undefined, url, { signal: leaving.signal })
  const reader = answer.body!.getReader()
  await reader.read()
  await delay(random.below(100))
  leaving.abort()
}

async function listing(...[api, { owner, id }]: Parameters<Act>) {
  const base = `/api/v1/servers/${id}/files`
  for (const path of ['list?path=&hidden=1', 'list?path=logs', 'search?content=needle&path='])
    expect((await linesOf(await ask(api, owner, `${base}/${path}`))).at(-1)).toHaveProperty('end', true)
}

async function runJob(api: FilesApi, { owner, id }: { owner: Caller; id: string }, body: FileJobBody) {
  const job = await owner.call(routes.createFileJob, { params: { id }, body })
  const lines = await linesOf(await ask(api, owner, `/api/v1/servers/${id}/files/jobs/${job.id}/stream`))
  expect(lines.at(-2)).toMatchObject({ state: 'done' })
}

async function archive(...[api, one]: Parameters<Act>) {
  await upload(api, one, 'mods/packed.jar', randomBytes(500_000))
  await runJob(api, one, { kind: 'pack', paths: ['mods'], to: 'mods.zip', format: 'zip', overwrite: 'replace' })
  await runJob(api, one, { kind: 'unpack', path: 'mods.zip', to: 'out', overwrite: 'replace' })
  await runJob(api, one, { kind: 'delete', paths: ['out', 'mods.zip'] })
}

async function copies(...[api, one]: Parameters<Act>) {
  const call = { params: { id: one.id } }
  await one.owner.call(routes.makeFolder, { ...call, body: { path: 'copies/deep' } })
  await runJob(api, one, { kind: 'copy', from: ['logs'], to: 'copies', overwrite: 'keep-both' })
  await one.owner.call(routes.deleteFiles, { ...call, body: { paths: ['copies'] } })
  await one.owner.call(routes.removeTrash, { ...call, body: { ids: null } })
}

async function edits(...[api, { owner, id }, random]: Parameters<Act>) {
  const body = `number: ${random.below(1e9)}\n`.repeat(500)
  const path = contentPath(id, { path: `config-${random.below(5)}.yml` })
  const saved = await ask(api, owner, path, { method: 'PUT', body })
  expect(saved.status, await saved.text()).toBe(200)
  expect(await (await ask(api, owner, path)).text()).toBe(body)
}
