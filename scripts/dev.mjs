// `npm run dev`: like `npm start`, but parts restart when their sources change and pages reload by themselves.
import { join } from 'node:path'
import { become, setUp } from './setup.mjs'
import { sandboxTools } from './setup/system-tools.mjs'

await setUp({ everything: true, system: sandboxTools, artifacts: join(process.env.DATA_DIR || 'data', 'artifacts') })
await become(['apps/standalone/src/main.ts', '--watch'], { WEB_DEV: '1' })
