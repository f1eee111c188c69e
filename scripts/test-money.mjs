// `npm run test:money`: set-up, then random histories of customers against the model of what they must have, for
// MONEY_SECONDS (ten minutes). MONEY_SEED repeats a history.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setUp } from './setup.mjs'
import { node24, root, withTools } from './setup/run.mjs'

await setUp({})

const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const child = spawn(
  node24,
  [vitest, 'run', '--project', 'code', 'tests/money-model.test.ts', ...process.argv.slice(2)],
  {
    cwd: root,
    env: withTools({ MONEY_SECONDS: process.env.MONEY_SECONDS ?? '600' }),
    stdio: 'inherit',
  },
)
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => child.kill(signal))
child.once('close', (status) => process.exit(status ?? 1))
