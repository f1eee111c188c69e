import type { Config } from '@react-router/dev/config'
import { compressAssets } from './build-steps/compress-assets.ts'

export default {
  ssr: true,
  // Few routes: sending all of them with the page spares a request per navigation.
  routeDiscovery: { mode: 'initial' },
  async buildEnd({ reactRouterConfig }) {
    await compressAssets(`${reactRouterConfig.buildDirectory}/client`)
  },
} satisfies Config
