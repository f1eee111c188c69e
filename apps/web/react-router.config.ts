import type { Config } from '@react-router/dev/config'
import { compressAssets } from './build-steps/compress-assets.ts'

// `--mode gallery` adds the gallery of components: only tests want it, so it never takes the place of the real build.
const isGallery = import.meta.env?.MODE === 'gallery'

export default {
  ssr: true,
  buildDirectory: isGallery ? 'build-gallery' : 'build',
  // Few routes: sending all of them with the page spares a request per navigation.
  routeDiscovery: { mode: 'initial' },
  async buildEnd({ reactRouterConfig }) {
    if (!isGallery) await compressAssets(`${reactRouterConfig.buildDirectory}/client`)
  },
} satisfies Config
