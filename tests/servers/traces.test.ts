/** One trace from a request to what its job had a supervisor do, in all processes, and the same ids in their logs. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import { getUser } from '@wakestone/contract/accounts/users-routes'
import { startOtlpCollector } from '@wakestone/simulators/otlp-collector'
import { startTracing } from '../../apps/server/src/adapters/telemetry/exporter.ts'
import { traced, traceIds } from '../../apps/server/src/tracing.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { isLong } from '../support/long.ts'
import { order, prepareArtifacts, topUp } from '../support/servers.ts'
import { startWorkerProcess, type WorkerProcess } from '../support/worker-process.ts'

vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 })

const authorization = 'Bearer of-the-collector'
let collector: Awaited<ReturnType<typeof startOtlpCollector>>
let api: TestApi
let worker: WorkerProcess | undefined
let tracing: Awaited<ReturnType<typeof startTracing>>

beforeAll(async () => {
  collector = await startOtlpCollector({ authorization })
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=${authorization}`,
    OTEL_TRACES_SAMPLER_ARG: '1',
  }
  api = await startTestApi(env)
  tracing = await startTracing(api.context.settings, { part: 'api', logger: api.context.logger })
  if (isLong) worker = await startWorkerProcess(api, env)
})
afterAll(async () => {
  await worker?.kill()
  for (const id of (await api?.context.fleet.cluster.list()) ?? []) await api.context.fleet.cluster.remove(id)
  await tracing?.close()
  await api?.close()
  await collector?.close()
})

const untilCollected = (isMeant: (span: (typeof collector.spans)[number]) => boolean) =>
  vi.waitFor(
    () => {
      const found = collector.spans.find(isMeant)
      if (found === undefined)
        throw new Error(`not among ${[...new Set(collector.spans.map(({ name }) => name))].join()}`)
      return found
    },
    { timeout: 60_000, interval: 200 },
  )

test.runIf(isLong)('an order is followed to the supervisor that installs it', async () => {
  const { engineVersion } = await prepareArtifacts(api)
  const owner = await api.signUp()
  const walletId = await topUp(api.context, owner, 5000)
  const { id } = await owner.call(createServer, { body: order(walletId, engineVersion) })

  const asked = await untilCollected(({ name }) => name === 'POST /api/v1/servers')
  expect(asked).toMatchObject({
    service: 'wakestone-api',
    attributes: { 'http.response.status_code': 201, 'http.route': '/api/v1/servers' },
  })
  expect(asked.parentSpanId ?? '').toBe('')
  const isPart = ({ traceId }: { traceId: string }) => traceId === asked.traceId
  const job = await untilCollected(
    (span) => isPart(span) && span.name.startsWith('job ') && span.parentSpanId === asked.spanId,
  )
  expect(job.service).toBe('wakestone-worker')
  const call = await untilCollected((span) => isPart(span) && span.name.startsWith('supervisor '))
  expect(call.service).toBe('wakestone-worker')
  expect(call.attributes['supervisor.milliseconds']).toBeTypeOf('number')

  const log = await vi.waitFor(() => {
    const text = readFileSync(join(api.dataDir, 'servers', id, 'host', 'supervisor.log'), 'utf8')
    expect(text).toContain(asked.traceId)
    return text
  }, 30_000)
  expect(log).toContain('"span_id"')
})

test('a refusal is no fault of ours, and strangers choose no trace', async () => {
  const given = '0af7651916cd43dd8448eb211c80319c'
  await fetch(`${api.origin}/api/v1/users/${crypto.randomUUID()}`, {
    headers: { traceparent: `00-${given}-b7ad6b7169203331-01` },
  })
  const span = await untilCollected(({ name }) => name === `GET /api/v1${getUser.path}`)
  expect(span.attributes['http.response.status_code']).toBe(401)
  expect(span.status?.code ?? 0).toBe(0)
  expect(collector.spans.filter(({ traceId }) => traceId === given)).toEqual([])
})

test('what is logged within a trace says which, and elsewhere nothing', async () => {
  expect(traceIds()).toEqual({})
  await traced('something', { parent: null }, async (span) => {
    const { traceId, spanId } = span.spanContext()
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(traceIds()).toEqual({ trace_id: traceId, span_id: spanId })
  })
})
