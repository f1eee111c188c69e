// `npm run business:restore -- --from REPOSITORY [--snapshot ID]`: brings the business back, into an empty DATA_DIR and the
// empty database of DATABASE_URL, or else an embedded one.
import { become, setUp } from './setup.mjs'

await setUp()
const script = process.env.DATABASE_URL
  ? ['apps/server/src/business-restore.ts']
  : ['apps/standalone/src/main.ts', '--restore-business']
await become([...script, ...process.argv.slice(2)])
