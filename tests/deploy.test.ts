/** What is laid out for operators (`deploy/`) names metrics, settings, roles and programs that exist. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { settingsTable } from '@wakestone/kit/settings'
import { createMetrics, measureRequests, measureWork } from '../apps/server/src/http/metrics.ts'
import { startTestGateway } from '../apps/gateway/src/test-support/gateway.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, 'deploy', path), 'utf8')
const apps: { close(): Promise<unknown> }[] = []
afterAll(() => Promise.all(apps.map((app) => app.close())))

test('every figure in a dashboard or an alert is one that the product has', async () => {
  const registry = createMetrics()
  // Nothing is asked for here.
  measureRequests({ addHook: () => undefined } as never, registry)
  measureWork(registry, { watched: () => 3, troubles: async () => [{ trouble: 'disk_full', count: 1 }] })
  const gateway = await startTestGateway([], { sftp: () => ({ connections: 0, sessions: 0 }) as never })
  apps.push(gateway)
  const text = `${await registry.metrics()}\n${await gateway.metrics()}`
  expect(text).toContain('wakestone_trouble{trouble="disk_full"} 1')
  const known = new Set(
    [...text.matchAll(/^# TYPE (\S+) /gm), ...text.matchAll(/^(\w+)(?:\{| )/gm)].map(([, name]) => name),
  )
  // A histogram without a request yet has no lines.
  for (const [, name] of text.matchAll(/^# TYPE (\S+) histogram/gm))
    for (const part of ['bucket', 'sum', 'count']) known.add(`${name}_${part}`)

  const dashboards = globSync('monitoring/dashboards/*.json', { cwd: join(root, 'deploy') })
  expect(dashboards.length).toBeGreaterThan(1)
  const queries = dashboards.flatMap((file) =>
    (JSON.parse(read(file)) as { panels: { targets: { expr: string }[] }[] }).panels.flatMap(({ targets }) =>
      targets.map(({ expr }) => expr),
    ),
  )
  const alerts = [...read('monitoring/alerts.yaml').matchAll(/^ +expr: (.+)$/gm)].map(([, expr]) => expr ?? '')
  expect(alerts.length).toBeGreaterThan(5)
  const named = [...queries, ...alerts].flatMap((query) => query.match(/\bwakestone_\w+/g) ?? [])
  expect(named.length).toBeGreaterThan(30)
  expect(named.filter((name) => !known.has(name))).toEqual([])
})

test('every setting that is given to containers, units and charts is one', () => {
  const compose = read('compose/compose.yaml')
  const ours = compose.slice(compose.indexOf('environment: &environment'), compose.indexOf('  volumes:'))
  const names = [
    ...[...ours.matchAll(/^ {4}([A-Z_]+):/gm)].map(([, name]) => name),
    ...[...read('systemd/wakestone.env.example').matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name),
    ...[...read('helm/wakestone/values.yaml').matchAll(/^ {2}([A-Z_]+):/gm)].map(([, name]) => name),
    ...[...read('helm/wakestone/templates/settings.yaml').matchAll(/^ {2}([A-Z_]+):/gm)].map(([, name]) => name),
  ]
  expect(names.length).toBeGreaterThan(20)
  expect(names.filter((name) => !Object.hasOwn(settingsTable, name ?? ''))).toEqual([])
  const asked = [...compose.matchAll(/\$\{([A-Z_]+)(?=:\?)/g)].map(([, name]) => name)
  expect(asked.filter((name) => !read('compose/.env.example').includes(`${name}=`))).toEqual([])
})

test('every role and every unit starts something that is there, and the image has what sandboxes need', () => {
  const scripts = [...(/^ {2}api \|.*(?=\))/m.exec(read('docker/entrypoint.sh'))?.[0] ?? '').matchAll(/[a-z-]+/g)].map(
    ([role]) => `apps/server/src/${role}.ts`,
  )
  for (const unit of globSync('systemd/*.service', { cwd: join(root, 'deploy') }))
    scripts.push(...[...read(unit).matchAll(/apps\/\S+\.ts/g)].map(([path]) => path))
  expect(scripts.length).toBeGreaterThan(12)
  for (const script of scripts) expect(() => readFileSync(join(root, script)), script).not.toThrow()
  const tools = readFileSync(join(root, 'scripts/setup/system-tools.mjs'), 'utf8')
  const [, list = ''] = /sandboxTools = \[([^\]]+)\]/.exec(tools) ?? []
  const sandboxTools = [...list.matchAll(/'([\w-]+)'/g)].map(([, name]) => name ?? '')
  expect(sandboxTools).toContain('bubblewrap')
  const dockerfile = read('docker/Dockerfile')
  expect(sandboxTools.filter((name) => !dockerfile.includes(name))).toEqual([])
})
