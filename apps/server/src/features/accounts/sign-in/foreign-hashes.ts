/**
 * Password hashes that imports bring along: bcrypt's, as PHP makes them. They are checked in a thread of their own, since
 * each takes this process's one for a tenth of a second and more.
 */
import { Worker } from 'node:worker_threads'

export const isForeignHash = (passwordHash: string | null | undefined): passwordHash is string =>
  passwordHash?.startsWith('$2') === true

/** Beyond that a single check would keep a core busy for seconds. */
const mostRounds = 15
const costOf = (passwordHash: string) => Number(passwordHash.slice(4, 6))

/** Whether a hash of another system is one that passwords can be checked by. */
export function isUsableHash(passwordHash: string): boolean {
  const isBcrypt = /^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/.test(passwordHash)
  return isBcrypt && costOf(passwordHash) >= 4 && costOf(passwordHash) <= mostRounds
}

type Check = { resolve: (isRight: boolean) => void; reject: (error: Error) => void }
let worker: Worker | undefined
let checks = 0
const waiting = new Map<number, Check>()

export function isForeignPasswordRight(password: string, passwordHash: string): Promise<boolean> {
  worker ??= begin()
  const id = ++checks
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject })
    worker?.ref()
    worker?.postMessage({ id, password, passwordHash }, [])
  })
}

function begin(): Worker {
  const thread = new Worker(new URL('foreign-hash-worker.ts', import.meta.url))
  thread.on('message', ({ id, isRight }: { id: number; isRight: boolean }) => {
    waiting.get(id)?.resolve(isRight)
    waiting.delete(id)
    if (waiting.size === 0) thread.unref() // it keeps no process from ending
  })
  thread.on('error', (error) => {
    worker = undefined
    for (const { reject } of waiting.values()) reject(error as Error)
    waiting.clear()
  })
  return thread
}

/** Takes as long as a check by such a hash, so that nobody learns which accounts have one. */
export async function spendForeignTime(like: string, password: string): Promise<void> {
  // Of no password: 53 letters that nobody has hashed to.
  await isForeignPasswordRight(password, `$2y$${like.slice(4, 6)}$${'.'.repeat(53)}`)
}
