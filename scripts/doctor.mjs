// `npm run doctor [-- --json]`: looks at this installation and says what is wrong. It sets nothing up: what is missing is
// part of the answer.
import { existsSync } from 'node:fs'
import { become } from './setup.mjs'
import { node24 } from './setup/run.mjs'

if (!existsSync(node24)) {
  console.error('The packages are not installed yet: npm start brings them.')
  process.exit(2)
}
await become(['apps/standalone/src/on-database.ts', 'apps/server/src/doctor.ts', ...process.argv.slice(2)])
