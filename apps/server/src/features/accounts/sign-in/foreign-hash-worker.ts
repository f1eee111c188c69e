/** The thread of `foreign-hashes.ts`. */
import { parentPort } from 'node:worker_threads'
import { compareSync } from 'bcryptjs'

parentPort?.on('message', ({ id, password, passwordHash }: { id: number; password: string; passwordHash: string }) => {
  let isRight = false
  try {
    isRight = compareSync(password, passwordHash)
  } catch {
    // No such hash: nobody's password is right.
  }
  parentPort?.postMessage({ id, isRight }, [])
})
