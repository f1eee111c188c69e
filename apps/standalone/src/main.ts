/**
 * `npm start`: the whole product on one machine.
 *
 *   node apps/standalone/src/main.ts [--watch | --check | --migrate | --admin-password [LOGIN] | --restore-business ARGS…]
 *
 * `--watch` starts a part again when its sources change; `--check` only reads the settings; `--migrate` only brings
 * the embedded database to the present shape; `--admin-password` gives an administrator a new password;
 * `--restore-business` brings everything back from a backup. Ends with 2 for a bad setting, with 1 when it cannot start.
 */
import { parseArgs } from 'node:util'
import { readSettingsOrExit } from '@wakestone/kit/settings'
import { migrateEmbedded, type Product, resetAdminPassword, restoreBusiness, startProduct } from './start.ts'

const began = Date.now()
const flag = { type: 'boolean', default: false } as const
const text = { type: 'string' } as const
const { values: flags, positionals } = parseArgs({
  options: {
    watch: flag,
    check: flag,
    migrate: flag,
    'admin-password': flag,
    'restore-business': flag,
    from: text,
    snapshot: text,
  },
  allowPositionals: true,
})
const settings = readSettingsOrExit(process.env)
if (flags.check) process.exit(0)

const stopping = new AbortController()
let product: Product | undefined
let firstAsked = 0
// Whoever read our output may have left; that is no reason to end.
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => askToStop())

try {
  if (flags['admin-password']) {
    await resetAdminPassword(settings, positionals[0])
    process.exit(0)
  }
  if (flags['restore-business']) {
    const args = (['from', 'snapshot'] as const).flatMap((name) =>
      flags[name] === undefined ? [] : [`--${name}`, flags[name]],
    )
    await restoreBusiness(settings, args)
    process.exit(0)
  }
  if (flags.migrate) {
    await migrateEmbedded(settings)
    process.exit(0)
  }
  console.log('Starting Wakestone')
  product = await startProduct(settings, { watch: flags.watch, signal: stopping.signal })
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
if (stopping.signal.aborted) await stop(product)
else console.log(`ready in ${((Date.now() - began) / 1000).toFixed(1)} s`)

/** One Ctrl-C may arrive twice at once, from the terminal and from npm; a later one means it. */
function askToStop() {
  const now = Date.now()
  if (stopping.signal.aborted) {
    if (now - firstAsked < 1_000) return
    console.error('Stopped at once; games that run go on, and the next start finds them.')
    process.exit(1)
  }
  firstAsked = now
  console.log('\nStopping (once more: at once) …')
  stopping.abort()
  if (product) void stop(product)
}

async function stop(running: Product) {
  await running.stop()
  console.log('Stopped.')
  process.exit(0)
}
