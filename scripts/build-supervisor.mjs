// Builds what supervisors run; `npm start` does it by itself.
import { buildSupervisor } from './setup/supervisor.mjs'

await buildSupervisor()
