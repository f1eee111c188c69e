/** Saves what was changed in an open file, unless somebody else has saved since it was read. */
import type { WrittenFile } from '@wakestone/contract/servers/files'
import { writeContent } from '../file-content.ts'
import { openFilesOf } from './open-files.ts'
import { encodeText } from './text-codec.ts'

/** A character was typed that the file's encoding lacks. */
export class EncodingFault extends Error {}

/**
 * `onSaved` is told before anybody else. `over`: the revision to write over, when it is another than the one that was read.
 * @throws ApiError `file_has_been_modified_since`, EncodingFault
 */
export async function saveText(
  serverId: string,
  path: string,
  { over, onSaved }: { over?: string | undefined; onSaved?: (written: WrittenFile) => void } = {},
): Promise<void> {
  const files = openFilesOf(serverId)
  const text = files.get().texts.get(path)
  if (text === undefined) return
  const now = text.changed ?? text.saved
  const bytes = encodeText(now, text.codec)
  if (bytes === undefined) throw new EncodingFault()
  const written = await writeContent(serverId, path, bytes, over ?? text.revision)
  onSaved?.(written)
  files.update(path, { saved: now, revision: written.revision })
}
