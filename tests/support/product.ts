/**
 * The running product for an end-to-end file. Others used it before and will use it afterwards: a file spends the money of
 * customers that it signs up itself, and takes names and addresses of its own. A file that ends parts of the product, or
 * needs its first day, starts one for itself (`startStandalone`).
 */
import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { inject } from 'vitest'
import { loginLocal, register } from '@wakestone/contract/accounts/users-routes'
import type { User } from '@wakestone/contract/accounts/user'
import { changeFlag, listFlags } from '@wakestone/contract/site/flags-routes'
import { createCookieClient } from './api.ts'
import type { SharedProduct } from './shared-products.ts'

export type Customer = { login: string; password: string; user: User }
export type TestProduct = SharedProduct & {
  /** Registers a customer with a confirmed address. */
  signUp(): Promise<Customer>
  /** Turns flags off again and gives the product to the next file. */
  dispose(): Promise<void>
}

export async function useProduct(): Promise<TestProduct> {
  const socket = connect(inject('products'))
  const answer = await new Promise<string>((resolve, reject) => {
    createInterface(socket).once('line', resolve)
    socket.once('error', reject)
  })
  const product = JSON.parse(answer) as SharedProduct & { error?: string }
  if (product.error !== undefined) throw new Error(product.error)
  return {
    ...product,
    signUp: () => signUp(product),
    async dispose() {
      await turnFlagsOff(product)
      await new Promise<void>((resolve) => socket.once('close', () => resolve()).end())
    },
  }
}

async function signUp({ origin, databaseUrl }: SharedProduct): Promise<Customer> {
  const username = `guest_${randomUUID().slice(0, 8)}`
  const login = `${username}@example.test`
  const password = 'correct horse battery'
  const body = { username, email: login, password, language: 'en' as const, accepted_tos: true as const }
  const user = await createCookieClient(origin).call(register, { body })
  const database = new pg.Client(databaseUrl)
  await database.connect()
  try {
    await database.query('update users set email_verified = now() where id = $1', [user.id])
  } finally {
    await database.end()
  }
  return { login, password, user }
}

async function turnFlagsOff({ origin, secrets }: SharedProduct): Promise<void> {
  const { call } = createCookieClient(origin)
  await call(loginLocal, { body: { login: 'admin', password: secrets.adminPassword } })
  for (const { key, enabled } of await call(listFlags, {}))
    if (enabled) await call(changeFlag, { params: { key }, body: { enabled: false } })
}
