/**
 * What a large installation costs, simulated: supervisors are one process that speaks their protocol; all else is real.
 *
 *   npm run bench scale -- --servers=10000 --routes=100000 --users=1000000 --transactions=10000000 --seconds=60
 *
 * Without options it is small and takes some minutes. `--servers=0` and its kin leave a part out.
 */
import { startBenchApi, startBenchDatabase } from './fixtures/bench-product.ts'
import { numberOption } from './fixtures/options.ts'
import { buildEngine, orderPattern } from './fixtures/scale/fill.ts'
import { measurePages } from './fixtures/scale/pages.ts'
import { measureRoutes } from './fixtures/scale/routes.ts'
import { measureServers } from './fixtures/scale/servers.ts'

const servers = numberOption('servers', 500)
const routes = numberOption('routes', 5_000)
const users = numberOption('users', 20_000)
const transactions = numberOption('transactions', 100_000)
const seconds = numberOption('seconds', 20)

type Product = Awaited<ReturnType<typeof startBenchDatabase>>

/** Each part has a database of its own. */
async function withProduct(measure: (product: Product) => Promise<void>): Promise<void> {
  const product = await startBenchDatabase()
  try {
    await measure(product)
  } finally {
    await product.stop()
  }
}

if (servers > 0)
  await withProduct(async (product) => {
    const engineVersion = await buildEngine(product)
    const pattern = await orderPattern(await startBenchApi(product), engineVersion)
    await measureServers({ product, postgresPid: product.postgresPid, pattern, count: servers, seconds })
  })
if (routes > 0)
  await withProduct(async (product) => {
    const engineVersion = await buildEngine(product)
    const api = await startBenchApi(product)
    const pattern = await orderPattern(api, engineVersion)
    await measureRoutes({ product, api, pattern, count: routes, seconds })
  })
if (users > 0)
  await withProduct((product) =>
    measurePages({ product, startApi: () => startBenchApi(product, 'admin'), users, transactions }),
  )
