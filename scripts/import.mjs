// `npm run import -- SYSTEM --dump FILE`: brings customers and servers over from another system. The product may run meanwhile.
import { become, setUp } from './setup.mjs'

await setUp()
await become(['apps/standalone/src/on-database.ts', 'apps/server/src/import.ts', ...process.argv.slice(2)])
