/** The server for visitors: made once, on an installation without any, and never where none is wanted. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listFlags } from '@wakestone/contract/site/flags-routes'
import { getDemoServer } from '@wakestone/contract/servers/demo-routes'
import { createEngineCatalogue } from '#src/adapters/engines/catalogue.ts'
import { startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { prepareArtifacts, startTestWorker } from '../../../../../../tests/support/servers.ts'
import { makeDemoServer } from './service.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
  await prepareArtifacts(api)
})
afterAll(() => api?.close())

function make(more: Partial<TestApi['context']['settings']> = {}) {
  const settings = { ...api.context.settings, DEMO: true, DEMO_SERVER: true, ...more }
  const artifactUrl = `${api.origin}/artifacts`
  const engines = createEngineCatalogue({ settings, artifactUrl, logger: api.context.logger, listPatienceMs: 5_000 })
  return makeDemoServer({ ...api.context, settings, engines })
}

test('is made once, runs by itself and stands on the home page', async () => {
  const admin = await api.signUp({ admin: true })
  expect(await make({ DEMO_SERVER: false })).toBeUndefined()
  expect(await make({ NODE_ENV: 'production', DEMO: false })).toBeUndefined()
  const made = await Promise.all([make(), make()])
  const [address] = made.filter((one) => one !== undefined)
  expect(address).toMatch(/^try-me\./)
  expect(await make()).toBeUndefined()
  const flags = await admin.call(listFlags, {})
  expect(flags.find(({ key }) => key === 'demo-server')).toMatchObject({ enabled: true, value: 'try-me' })
  const worker = await startTestWorker(api)
  try {
    for (const deadline = Date.now() + 90_000; ;) {
      const shown = await api.anonymous(getDemoServer, {}).catch(() => undefined)
      if (shown?.state === 'idle') break
      expect(Date.now()).toBeLessThan(deadline)
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  } finally {
    await worker.stop()
    await worker.removeAll()
  }
}, 120_000)
