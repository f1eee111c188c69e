import type { Config } from '@react-router/dev/config'
import { compressAssets } from './build-steps/compress-assets.ts'

// `--mode gallery` adds the gallery of components: only tests want it, so it never takes the place of the real build.
const isGallery = import.meta.env?.MODE === 'gallery'

export default {
  ssr: true,
  buildDirectory: isGallery ? 'build-gallery' : 'build',
  // A page knows its own route; browsers ask `/__manifest` for those its links lead to, many at once.
  routeDiscovery: { mode: 'lazy' },
  async buildEnd({ reactRouterConfig }) {
    if (!isGallery) await compressAssets(`${reactRouterConfig.buildDirectory}/client`)
  },
} satisfies Config
