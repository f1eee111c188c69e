import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
let dir: string

beforeAll(() => {
  // A tree of its own, under our rules: nothing is planted among the real sources.
  dir = mkdtempSync(join(tmpdir(), 'ws-lint-'))
  for (const name of ['oxlint.config.ts', 'node_modules', 'package.json'])
    symlinkSync(join(root, name), join(dir, name))
  writeFileSync(join(dir, '.gitignore'), 'node_modules\n')
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

function lint(file: string, specifier: string) {
  const path = join(dir, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `import { something } from '${specifier}'\n\nexport const used = something\n`)
  const program = join(root, 'node_modules/oxlint/bin/oxlint')
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, file], { cwd: dir, encoding: 'utf8' })
  rmSync(path)
  return { status, output: stdout + stderr }
}

const forbidden: [file: string, specifier: string][] = [
  ['apps/server/src/features/money/wallets/service.ts', '../../../../../gateway/src/main.ts'],
  ['apps/gateway/src/listen.ts', '@wakestone/server/context'],
  ['apps/standalone/src/main.ts', '../../server/src/context.ts'],
  ['packages/kit/src/money.ts', '../../../apps/server/src/context.ts'],
  ['packages/contract/src/money.ts', 'node:fs'],
  ['apps/server/src/adapters/payments/payu/orders.ts', '@wakestone/simulators/payu'],
  ['apps/server/src/features/money/wallets/service.ts', '#src/features/money/ledger/repo.ts'],
  ['apps/server/src/features/money/wallets/service.ts', '../ledger/policy.ts'],
  ['apps/server/src/features/money/wallets/service.ts', '#src/features/sales/plans/service.ts'],
  ['apps/server/src/features/money/wallets/repo.ts', '#src/features/accounts/users/service.ts'],
  ['apps/server/src/features/servers/files/service.ts', '#src/features/marketplace/projects/service.ts'],
  ['apps/server/src/features/marketplace/projects/service.ts', '#src/features/accounts/users/service.ts'],
  ['apps/server/src/features/ground/events/service.ts', '../../site/flags/service.ts'],
  ['apps/server/src/features/money/wallets/service.ts', './routes.ts'],
  ['apps/server/src/features/money/wallets/service.ts', 'kysely'],
  ['apps/server/src/features/money/wallets/service.ts', 'fastify'],
  ['apps/server/src/features/money/wallets/routes.ts', './repo.ts'],
  ['apps/server/src/features/money/wallets/jobs.ts', './ledger-repo.ts'],
  ['apps/server/src/features/money/wallets/repo.ts', './service.ts'],
  ['apps/server/src/features/money/wallets/repo.ts', 'fastify'],
  ['apps/server/src/http/principal.ts', '#src/features/accounts/users/repo.ts'],
  ['apps/server/src/http/principal.ts', 'pg'],
  ['apps/server/src/worker.ts', '#src/features/servers/files/changes.ts'],
  ['apps/server/src/jobs/all.ts', '#src/features/servers/files/changes.ts'],
  ['apps/server/src/features/ground/notifications/channels/mail.ts', '../../../site/flags/service.ts'],
  ['apps/server/src/db/client.ts', '#src/features/accounts/users/service.ts'],
  ['apps/web/app/ui/button.tsx', '#app/features/console/lines.tsx'],
  ['apps/web/app/features/console/lines.tsx', '../../screens/home/page.tsx'],
]

test.each(forbidden)('%s may not import %s', (file, specifier) => {
  const { status, output } = lint(file, specifier)
  expect(output).toContain('no-restricted-imports')
  expect(status).not.toBe(0)
})

const allowed: [file: string, specifier: string][] = [
  ['apps/server/src/features/money/wallets/service.ts', '#src/features/ground/events/service.ts'],
  ['apps/server/src/features/accounts/users/service.ts', '#src/features/money/wallets/service.ts'],
  ['apps/server/src/features/marketplace/reviews/service.ts', '#src/features/servers/servers/service.ts'],
  ['apps/server/src/worker.ts', '#src/features/servers/files/jobs.ts'],
  ['apps/server/src/http/principal.ts', '#src/features/accounts/users/service.ts'],
  ['apps/server/src/features/money/wallets/service.ts', './repo.ts'],
  ['apps/server/src/features/money/wallets/repo.ts', 'kysely'],
  ['apps/server/src/features/money/wallets/routes.ts', 'fastify'],
  ['apps/standalone/src/main.ts', '@wakestone/simulators/payu'],
  ['apps/web/app/screens/home/page.tsx', '#app/features/console/lines.tsx'],
]

test.each(allowed)('%s may import %s', (file, specifier) => {
  expect(lint(file, specifier)).toMatchObject({ status: 0 })
})

test('files may not import each other in a circle', () => {
  const folder = join(dir, 'apps/server/src/features/money/wallets')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'one.ts'), `import { two } from './two.ts'\n\nexport const one = () => two\n`)
  writeFileSync(join(folder, 'two.ts'), `import { one } from './one.ts'\n\nexport const two = () => one\n`)
  const program = join(root, 'node_modules/oxlint/bin/oxlint')
  const { status, stdout } = spawnSync(process.execPath, [program, folder], { cwd: dir, encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  expect(stdout).toContain('import(no-cycle)')
  expect(status).not.toBe(0)
})

test('a process makes its fleet once, with its context', () => {
  const folder = join(root, 'apps/server/src')
  const makers = globSync('**/*.ts', { cwd: folder }).filter(
    (file) =>
      !file.endsWith('.test.ts') && /(?<!function )\bcreateFleet\(/.test(readFileSync(join(folder, file), 'utf8')),
  )
  // The doctor is a process of its own that runs nothing: it has a fleet to ask, and no context.
  expect(makers).toEqual(['context.ts', 'features/admin/doctor/service.ts'])
})
