// `npm run test:money`: set-up, then a random history of customers against the model of what they must have, for
// MONEY_SECONDS (ten minutes), and every price in every country. MONEY_SEED repeats a history.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setUp } from './setup.mjs'
import { node24, root, withTools } from './setup/run.mjs'

await setUp({})

const files = ['tests/money-model.test.ts', 'tests/money-every-price.test.ts']
const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const child = spawn(
  node24,
  [vitest, 'run', '--project', 'code', '--no-file-parallelism', ...files, ...process.argv.slice(2)],
  {
    cwd: root,
    env: withTools({ MONEY_SECONDS: process.env.MONEY_SECONDS ?? '600', MONEY_FULL: '1' }),
    stdio: 'inherit',
  },
)
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => child.kill(signal))
child.once('close', (status) => process.exit(status ?? 1))
