// `npm run test:money`: set-up, then a random history of customers against the model of what they must have, for
// MONEY_SECONDS (ten minutes), and every price in every country. MONEY_SEED repeats a history.
import { setUp } from './setup.mjs'
import { moneyFiles, moneySettings } from './testing/money.mjs'
import { end, runVitest } from './testing/run.mjs'

await setUp({ everything: true })

const args = ['--project', 'code', '--no-file-parallelism', ...moneyFiles, ...process.argv.slice(2)]
end(await runVitest(args, { env: moneySettings(), report: 'tests-money.json' }))
