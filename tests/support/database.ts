/** Databases for tests: each one is a fresh clone of the migrated template, made in some 30 ms. */
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { inject } from 'vitest'

export type TestDatabase = { url: string; drop(): Promise<void> }

/** Makes an empty, migrated database of its own. Call `drop` in the end, or use `await using`. */
export async function createTestDatabase(): Promise<TestDatabase & AsyncDisposable> {
  const socketPath = inject('databases')
  const url = await ask(socketPath, 'POST', '/')
  const drop = async () => void (await ask(socketPath, 'DELETE', new URL(url).pathname))
  return { url, drop, [Symbol.asyncDispose]: drop }
}

function ask(socketPath: string, method: string, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    // Not a kept-alive connection: the server may be closing it at the moment it is reused.
    const asking = request({ socketPath, method, path, agent: false }, async (response) => {
      const answer = await text(response)
      if (response.statusCode === 200) resolve(answer)
      else reject(new Error(`no test database: ${answer}`))
    })
    asking.on('error', reject).end()
  })
}
