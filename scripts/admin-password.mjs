// `npm run admin:password [-- LOGIN]`: gives an administrator a new password and prints it. The product may run meanwhile.
import { become, setUp } from './setup.mjs'

await setUp()
const script = process.env.DATABASE_URL
  ? ['apps/server/src/admin-password.ts']
  : ['apps/standalone/src/main.ts', '--admin-password']
await become([...script, ...process.argv.slice(2)])
