/** Databases for tests: each one is a fresh clone of the migrated template, made in some 30 ms. */
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { inject } from 'vitest'

export type TestDatabase = { url: string; drop(): Promise<void> }

/** Makes an empty, migrated database of its own. Call `drop` in the end, or use `await using`. */
export async function createTestDatabase(): Promise<TestDatabase & AsyncDisposable> {
  const url = await askForClone(inject('databases'))
  const drop = async () => {
    const address = new URL(url)
    const name = address.pathname.slice(1)
    address.pathname = '/postgres'
    const admin = new pg.Client(address.href)
    await admin.connect()
    try {
      await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    } finally {
      await admin.end()
    }
  }
  return { url, drop, [Symbol.asyncDispose]: drop }
}

function askForClone(socketPath: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const asking = request({ socketPath, method: 'POST', path: '/' }, async (response) => {
      const answer = await text(response)
      if (response.statusCode === 200) resolve(answer)
      else reject(new Error(`no test database: ${answer}`))
    })
    asking.on('error', reject).end()
  })
}
