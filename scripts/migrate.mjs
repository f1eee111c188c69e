// `npm run db:migrate`: brings the database of DATABASE_URL to the present shape.
import { become, setUp } from './setup.mjs'

await setUp()
await become(['apps/server/src/migrate.ts'])
