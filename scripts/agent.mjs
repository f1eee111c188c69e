// `npm run agent [-- --join TOKEN]`: sets up what a further machine needs, then runs its agent. No pages, no database.
import { become, setUp } from './setup.mjs'
import { sandboxTools } from './setup/system-tools.mjs'

await setUp({ system: sandboxTools })
await become(['apps/server/src/agent.ts', ...process.argv.slice(2)])
