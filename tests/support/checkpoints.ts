/** What tests of checkpoints share. */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** As `scripts/setup/criu.mjs` has brought it. */
const brought = join(import.meta.dirname, '../../.cache/criu/criu')
export const criuPath = existsSync(brought) ? brought : 'criu'

/** Where a server's lies, and what there is of it. */
export function checkpointOf(dataDir: string, serverId: string) {
  const folder = join(dataDir, 'servers', serverId, 'host/checkpoint')
  const images = join(folder, 'images')
  return {
    images,
    isThere: () => existsSync(folder),
    isWhole: () => existsSync(join(folder, 'complete')),
    mode: () => statSync(folder).mode & 0o777,
    isBeingMade: () => existsSync(join(images, 'pages-1.img')) && !existsSync(join(folder, 'complete')),
    isBeingUsed: () => existsSync(join(images, 'restore.log')),
  }
}
