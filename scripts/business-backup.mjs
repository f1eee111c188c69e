// `npm run business:backup -- --to REPOSITORY`: database, keys, settings and what customers sent, into a restic repository.
// The product may run meanwhile.
import { become, setUp } from './setup.mjs'

await setUp()
await become(['apps/standalone/src/on-database.ts', 'apps/server/src/business-backup.ts', ...process.argv.slice(2)])
