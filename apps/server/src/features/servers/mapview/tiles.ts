/** Tiles out of a server's folder. A box has written them: nothing of it is followed or believed. */
import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { mapBounds } from '@wakestone/protocol/map-render'
import { mapFolder } from '#src/adapters/map-renderer/run.ts'
import type { Context } from '#src/context.ts'

export type TileName = { serverId: string; dimension: string; layer: string; zoomOut: string; tile: string }

/** @returns its bytes, which are a WebP picture, and a tag that changes with them; undefined where there is none. */
export async function readTile(
  { settings }: Pick<Context, 'settings'>,
  { serverId, dimension, layer, zoomOut, tile }: TileName,
): Promise<{ tag: string; bytes: () => Promise<Buffer | undefined>; close: () => Promise<void> } | undefined> {
  const folder = join(mapFolder(settings, serverId), dimension, layer, zoomOut)
  // A link in its place would lead elsewhere.
  const real = await realpath(folder).catch(() => undefined)
  const root = await realpath(mapFolder(settings, serverId)).catch(() => undefined)
  if (real === undefined || real !== join(root ?? '', dimension, layer, zoomOut)) return undefined
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const file = await open(join(real, tile), flags).catch(() => undefined)
  if (file === undefined) return undefined
  const stat = await file.stat()
  const close = () => file.close()
  if (!stat.isFile() || stat.size > mapBounds.tileBytes) {
    await close()
    return undefined
  }
  return {
    tag: `"${Math.round(stat.mtimeMs).toString(36)}-${stat.size.toString(36)}"`,
    close,
    async bytes() {
      const bytes = Buffer.alloc(stat.size)
      const { bytesRead } = await file.read(bytes, 0, bytes.length, 0)
      return bytesRead === bytes.length && isWebp(bytes) ? bytes : undefined
    },
  }
}

const isWebp = (bytes: Buffer) =>
  bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP'
