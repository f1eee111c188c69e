// `npm run test:long [-- filter …]`, `-- --list` to name the files alone: set-up, then the whole of what `npm test` does a piece of: histories of ten minutes,
// all combinations, a crash at every moment, every page at every width. The last line is `N passed, N failed`.
import { setUp } from './setup.mjs'
import { sandboxTools, sftpClients } from './setup/system-tools.mjs'
import { findLongTests } from './testing/find-long.mjs'
import { moneyFiles, moneySettings } from './testing/money.mjs'
import { end, runVitest } from './testing/run.mjs'

const filters = process.argv.slice(2).filter((argument) => argument !== '--list')
const isWanted = (file) => filters.length === 0 || filters.some((filter) => file.includes(filter))
const files = [...new Set([...moneyFiles, ...findLongTests()])].filter(isWanted)
if (files.length === 0) {
  console.error(`no file of long tests matches ${filters.join(' ')}`)
  end({ passed: 0, failed: 1 })
}
if (process.argv.includes('--list')) {
  console.log(files.join('\n'))
  process.exit(0)
}
await setUp({
  everything: true,
  system: [...sandboxTools, 'chromium', 'pgbouncer', ...sftpClients],
  web: true,
  storages: true,
  nameServer: true,
  helm: true,
  containers: true,
  checkpoints: true,
})
end(await runVitest(files, { env: { TEST_LONG: '1', ...moneySettings() }, report: 'tests-long.json' }))
