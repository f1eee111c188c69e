import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  createUploadQueue as createQueue,
  type Send,
  type SendOutcome,
  type Upload,
  type UploadQueue,
} from './upload-queue.ts'

const createUploadQueue = (options: Parameters<typeof createQueue>[0]) => createQueue({ tellEvery: 1, ...options })
const fileOf = (size: number) => new File([new Uint8Array(size)], 'any')
const some = (count: number, size = 10, batch = 'one') =>
  Array.from({ length: count }, (_, index) => ({ batch, path: `world/${index}`, file: fileOf(size) }))

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; !isSo(); tries += 1) {
    if (tries > 2_000) throw new Error('not in time')
    await delay(1)
  }
}
const statesOf = (queue: UploadQueue) => [...queue.all()].map(({ state }) => state)

/** A network whose sends end when the test says. */
function heldNetwork() {
  const open = new Map<string, { end: (outcome: SendOutcome) => void; tell: (bytes: number) => void; upload: Upload }>()
  let most = 0
  const send: Send = (upload, onSent, signal) =>
    new Promise((resolve) => {
      const end = (outcome: SendOutcome) => {
        if (open.get(upload.path)?.end === end) open.delete(upload.path)
        resolve(outcome)
      }
      open.set(upload.path, { end, tell: onSent, upload })
      most = Math.max(most, open.size)
      signal.addEventListener('abort', () => end({ kind: 'offline' }))
    })
  return { send, open, most: () => most }
}

test('so many at a time, in order, and their bytes are summed', async () => {
  const network = heldNetwork()
  const ended: string[] = []
  let idle = 0
  const queue = createUploadQueue({
    send: network.send,
    atOnce: 2,
    onEnd: ({ path }) => ended.push(path),
    onIdle: () => (idle += 1),
  })
  queue.add(some(4))
  expect([...network.open.keys()]).toEqual(['world/0', 'world/1'])
  network.open.get('world/0')!.tell(4)
  await until(() => queue.sums().sent === 4)
  expect(queue.sums()).toMatchObject({ files: 4, bytes: 40, mood: 'running', counts: { sending: 2, waiting: 2 } })
  for (const name of ['world/1', 'world/0', 'world/2', 'world/3']) {
    await until(() => network.open.has(name))
    network.open.get(name)!.end({ kind: 'done' })
  }
  await until(() => queue.sums().mood === 'idle')
  expect(ended).toEqual(['world/1', 'world/0', 'world/2', 'world/3'])
  expect([queue.sums().sent, network.most(), idle]).toEqual([40, 2, 1])
})

test('paused, they wait where they are and go on first', async () => {
  const network = heldNetwork()
  const queue = createUploadQueue({ send: network.send, atOnce: 2 })
  queue.add(some(3))
  network.open.get('world/1')!.tell(7)
  queue.pause()
  await until(() => queue.sums().mood === 'paused')
  expect([network.open.size, queue.sums().sent]).toEqual([0, 7])
  queue.resume()
  expect([...network.open.keys()]).toEqual(['world/0', 'world/1'])
})

test('without a connection one tries for all, again and again, and nothing is lost', async () => {
  let isOnline = false
  let tried = 0
  const send: Send = async () => {
    tried += 1
    await delay(0)
    return isOnline ? { kind: 'done' } : { kind: 'offline' }
  }
  const queue = createUploadQueue({ send, retryAfter: () => 1 })
  queue.add(some(20))
  await until(() => tried > 12)
  expect(queue.sums().counts.failed).toBe(0)
  isOnline = true
  queue.reconnect()
  await until(() => queue.sums().counts.done === 20)
})

test('what is there already is asked once for all of a batch', async () => {
  const sent: string[] = []
  const send: Send = async ({ path, overwrite }) => {
    if (overwrite === 'fail' && path !== 'world/0') return { kind: 'conflict' }
    sent.push(`${path} ${overwrite}`)
    return { kind: 'done' }
  }
  const queue = createUploadQueue({ send })
  queue.add([...some(4), ...some(1, 10, 'two').map((one) => ({ ...one, path: 'plugins/x' }))])
  await until(() => queue.sums().counts.conflict === 4)
  const [first] = queue.ofState('conflict')
  queue.decide('one', 'skip', first!.id)
  queue.decide('one', 'replace')
  await until(() => queue.sums().counts.done === 3)
  expect(queue.ofState('conflict').map(({ path }) => path)).toEqual(['plugins/x'])
  // A later one of the same batch needs no question.
  queue.add([{ batch: 'one', path: 'world/9', file: fileOf(1) }])
  await until(() => queue.sums().counts.done === 4)
  expect(sent).toEqual(['world/0 fail', 'world/2 replace', 'world/3 replace', 'world/9 replace'])
  queue.decide('two', 'keep-both')
  await until(() => queue.sums().mood === 'idle')
  expect(sent.at(-1)).toBe('plugins/x keep-both')
})

test('a decision that does not help fails instead of going round', async () => {
  const queue = createUploadQueue({ send: async () => ({ kind: 'conflict' }) })
  queue.add(some(1))
  await until(() => queue.sums().counts.conflict === 1)
  queue.decide('one', 'replace')
  await until(() => queue.sums().counts.failed === 1)
  expect([...queue.all()][0]!.error).toBe('resource_already_exists')
})

test('what failed can be tried again, what is left can be given up', async () => {
  let isFull = true
  const send: Send = async () => (isFull ? { kind: 'failed', error: 'insufficient_storage' } : { kind: 'done' })
  const queue = createUploadQueue({ send })
  queue.add([...some(2), { batch: 'one', path: 'there', file: fileOf(5), isThere: true }])
  await until(() => queue.sums().counts.failed === 2)
  expect(queue.sums().sent).toBe(5)
  isFull = false
  queue.retryFailed()
  await until(() => queue.sums().counts.done === 3)
  queue.clear()
  await until(() => queue.sums().files === 0)
  expect(queue.sums()).toMatchObject({ bytes: 0, sent: 0, mood: 'idle' })
  const network = heldNetwork()
  const held = createUploadQueue({ send: network.send, atOnce: 1 })
  held.add(some(3))
  expect(held.cancel().map(({ path }) => path)).toEqual(['world/0', 'world/1', 'world/2'])
  expect(network.open.size).toBe(0)
  await until(() => held.sums().mood === 'idle')
})

test('whatever happens on the way, every file ends once and the sums are true', async () => {
  const step = fc.constantFrom('pause', 'resume', 'reconnect', 'retry', 'replace', 'skip', 'tick')
  const fate = fc.constantFrom<SendOutcome>(
    { kind: 'done' },
    { kind: 'done' },
    { kind: 'conflict' },
    { kind: 'offline' },
    { kind: 'failed', error: 'internal_error' },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), fc.array(fate, { maxLength: 30 }), async (steps, fates) => {
      const ends: Upload[] = []
      const left = [...fates]
      const send: Send = async (upload, onSent) => {
        onSent(upload.file.size / 2)
        await delay(0)
        return left.shift() ?? { kind: 'done' }
      }
      const queue = createUploadQueue({ send, retryAfter: () => 0, onEnd: (upload) => ends.push(upload) })
      queue.add(some(6))
      for (const one of steps) {
        if (one === 'pause') queue.pause()
        if (one === 'resume') queue.resume()
        if (one === 'reconnect') queue.reconnect()
        if (one === 'retry') queue.retryFailed()
        if (one === 'replace' || one === 'skip') queue.decide('one', one)
        await delay(0)
      }
      queue.resume()
      for (
        let turn = 0;
        turn < 2_000 && statesOf(queue).some((state) => state !== 'done' && state !== 'skipped');
        turn += 1
      ) {
        queue.retryFailed()
        queue.decide('one', 'skip')
        await delay(0)
      }
      expect(statesOf(queue).filter((state) => state !== 'done' && state !== 'skipped')).toEqual([])
      await until(() => queue.sums().sent === 60)
      expect(queue.sums()).toMatchObject({ files: 6, bytes: 60, mood: 'idle' })
      const finals = ends.filter(({ state }) => state !== 'failed')
      expect(new Set(finals).size).toBe(6)
    }),
    { numRuns: 25 },
  )
})
