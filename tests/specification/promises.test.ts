/** What programs of others rely on: every promised call is served, every promised code is known, worded and used. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errorBodySchema, errorCodes, errorStatuses } from '@wakestone/contract/errors'
import { allRoutes } from '@wakestone/contract/routes'
import type { RouteSpec } from '@wakestone/contract/route'
import { type Caller, startTestApi, type TestApi } from '../support/api.ts'
import { promisedCalls } from './calls.ts'
import { promisedCodes } from './codes.ts'

/** Not served yet, and why. What is served leaves this list. */
const callsToCome: Record<string, string> = {}

/** Known and worded, and answered by nothing: why. What is answered leaves this list. */
const codesUnused: Record<string, string> = {
  'wrong password': 'second spelling of `invalid_user_password`',
  'not authorized': 'second spelling of `unauthorized`',
  template_not_found: 'servers are made of packages, not of templates',
  instance_not_found: 'a server has one game: `server_id_not_found`',
  server_has_not_game_process: 'told as `server_is_not_running`',
  no_server_repo_found: 'second name of `no_server_backup_repo_found`',
  module_has_no_price: 'told as `no_price_for_parameters`',
  user_has_too_many_wallets: 'a user has one wallet of each currency, made by itself',
  failed_to_acquire_lock: 'what is locked is waited for, or named: `server_has_running_…`',
  module_has_dependencies: 'told as `kloceg_uninstall_failed` with the packages that need it',
}

const shapeOf = (path: string) => path.replace(/\?.*/, '').replace(/:\w+/g, ':')
const routeOf = (call: string) => {
  const [method, path = ''] = call.split(' ')
  return Object.values<RouteSpec>(allRoutes).find(
    (route) => route.method === method && shapeOf(route.path) === shapeOf(path),
  )
}

describe('a promised call', () => {
  let api: TestApi
  let admin: Caller
  beforeAll(async () => {
    api = await startTestApi()
    admin = await api.signUp({ admin: true })
  })
  afterAll(() => api.close())

  test('stands in the list once', () => expect(new Set(promisedCalls).size).toBe(promisedCalls.length))

  test('is to come only where it is not there', () => {
    expect(promisedCalls.filter((call) => routeOf(call) === undefined)).toEqual(Object.keys(callsToCome))
  })

  test('is missed where there is no route', async () => {
    const { status, body } = await ask('GET /no/such/call')
    expect([status, errorBodySchema.parse(body).error]).toEqual([404, 'resource_not_found'])
  })

  // Signing out comes last.
  const served = promisedCalls.filter((call) => !(call in callsToCome))
  const ordered = served.toSorted((one, other) => Number(one.endsWith('/logout')) - Number(other.endsWith('/logout')))
  test.each(ordered)('%s is answered', async (call) => {
    const route = routeOf(call)
    expect(api.api.implemented.has(route as RouteSpec)).toBe(true)
    const { status, body, isJson } = await ask(call)
    expect(status, JSON.stringify(body)).toBeLessThan(500)
    if (status < 400) expect(Object.keys(route?.responses ?? {})).toContain(String(status))
    else if (isJson) {
      const { error } = errorBodySchema.parse(body)
      expect(errorStatuses[error]).toBe(status)
    }
  })

  async function ask(call: string) {
    const [method = '', path = ''] = call.split(' ')
    const address = path.replace(/:(\w+)/g, (_, name: string) =>
      name === 'id' || name.endsWith('Id') ? randomUUID() : 'none',
    )
    const hasBody = method !== 'GET'
    const response = await fetch(`${api.origin}/api/v1${address}`, {
      method,
      redirect: 'manual',
      headers: { cookie: admin.cookie(), ...(hasBody && { 'content-type': 'application/json' }) },
      ...(hasBody && { body: '{}' }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
    return { status: response.status, isJson, body: isJson && text !== '' ? (JSON.parse(text) as unknown) : text }
  }
})

describe('a promised code', () => {
  const root = join(import.meta.dirname, '../..')

  test('is in the catalogue, which has the others too', () => {
    expect(new Set(promisedCodes).size).toBe(105)
    expect(promisedCodes.filter((code) => !(errorCodes as string[]).includes(code))).toEqual([])
  })

  test.each(['en', 'pl', 'de'])('has words in %s', (language) => {
    const file = join(root, `apps/web/app/i18n/locales/${language}.json`)
    const { errors } = JSON.parse(readFileSync(file, 'utf8')) as { errors: Record<string, string> }
    expect(promisedCodes.filter((code) => (errors[code] ?? '').length < 3)).toEqual([])
  })

  test('is answered by something, or it is said why not', () => {
    const said = new Set<string>()
    for (const folder of [
      'apps/server/src',
      'apps/files',
      'packages/contract/src',
      'packages/protocol/src',
      'apps/web/app/screens',
    ])
      for (const text of sourcesOf(join(root, folder)))
        for (const [, word = ''] of text.matchAll(/'([a-z_ ]+)'/g)) said.add(word)
    expect(promisedCodes.filter((code) => !said.has(code)).toSorted()).toEqual(Object.keys(codesUnused).toSorted())
  })

  function* sourcesOf(folder: string): Generator<string> {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const isSource = entry.isFile() && /(?<!\.test)\.tsx?$/.test(entry.name)
      // The catalogue and what a route may answer say only what could be.
      if (isSource && entry.name !== 'errors.ts' && !entry.name.endsWith('-routes.ts'))
        yield readFileSync(join(entry.parentPath, entry.name), 'utf8')
    }
  }
})
