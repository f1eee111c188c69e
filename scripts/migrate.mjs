// `npm run db:migrate`: brings the database to the present shape, that of DATABASE_URL or else the embedded one.
import { become, setUp } from './setup.mjs'

await setUp()
await become(process.env.DATABASE_URL ? ['apps/server/src/migrate.ts'] : ['apps/standalone/src/main.ts', '--migrate'])
