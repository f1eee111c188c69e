import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

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

type Case = [file: string, specifier: string]
type Finding = { code: string; filename: string; labels: { span: { line: number } }[] }

/** Plants all of them and lints once, since each start takes a second. @returns what is said of each, by its rules */
function lint(cases: Case[]): Map<Case, string[]> {
  const byFile = Map.groupBy(cases, ([file]) => file)
  for (const [file, planted] of byFile) {
    const path = join(dir, file)
    mkdirSync(dirname(path), { recursive: true })
    const imports = planted.map(([, specifier], index) => `import { one as one${index} } from '${specifier}'\n`)
    writeFileSync(
      path,
      `${imports.join('')}\nexport const used = [${planted.map((_, index) => `one${index}`).join(', ')}]\n`,
    )
  }
  const program = join(root, 'node_modules/oxlint/bin/oxlint')
  const files = [...byFile.keys()]
  const { stdout } = spawnSync(process.execPath, [program, '--format=json', ...files], { cwd: dir, encoding: 'utf8' })
  for (const file of files) rmSync(join(dir, file))
  const { diagnostics, number_of_files } = JSON.parse(stdout) as { diagnostics: Finding[]; number_of_files: number }
  expect(number_of_files).toBe(files.length)
  return new Map(
    cases.map((one) => {
      const line = byFile.get(one[0])!.indexOf(one) + 1
      const isOfIt = ({ filename, labels }: Finding) =>
        filename === one[0] && labels.some(({ span }) => span.line === line)
      return [one, diagnostics.filter(isOfIt).map(({ code }) => code)]
    }),
  )
}

const forbidden: Case[] = [
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

const allowed: Case[] = [
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

describe('a file', () => {
  let said: Map<Case, string[]>
  let saidOfAllowed: Map<Case, string[]>
  beforeAll(() => {
    said = lint(forbidden)
    saidOfAllowed = lint(allowed)
  })
  test.each(forbidden.map((one) => ({ one, file: one[0], specifier: one[1] })))(
    '$file may not import $specifier',
    ({ one }) => expect(said.get(one)?.join()).toContain('no-restricted-imports'),
  )
  test.each(allowed.map((one) => ({ one, file: one[0], specifier: one[1] })))(
    '$file may import $specifier',
    ({ one }) => expect(saidOfAllowed.get(one)).toEqual([]),
  )
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
