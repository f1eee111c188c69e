// `npm start`: sets up what is missing, then starts the whole product.
import { join } from 'node:path'
import { become, setUp } from './setup.mjs'
import { sandboxTools } from './setup/system-tools.mjs'

await setUp({ system: sandboxTools, web: true, artifacts: join(process.env.DATA_DIR || 'data', 'artifacts') })
await become(['apps/standalone/src/main.ts'])
