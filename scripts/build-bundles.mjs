// Builds what supervisors and files services run; `npm start` does it by itself.
import { buildBundles } from './setup/bundles.mjs'

await buildBundles()
