/** `server.properties` through the files service, which is there when no game and no supervisor is. */
import { Readable } from 'node:stream'
import { changeProperties, readProperties } from '@wakestone/minecraft/properties'
import type { FilesClient } from '#src/adapters/files/client.ts'

const path = 'server.properties'

/** Some values as they are; null: none. */
export async function readServerProperties(
  files: FilesClient,
  keys: readonly string[],
): Promise<Record<string, string | null>> {
  const present = readProperties((await files.text(path))?.text ?? '')
  return Object.fromEntries(keys.map((key) => [key, present.get(key) ?? null]))
}

/**
 * Writes some values; null removes one.
 * @throws DomainError `file_has_been_modified_since` where somebody else writes it now
 */
export async function writeServerProperties(
  files: FilesClient,
  values: Readonly<Record<string, string | null>>,
): Promise<void> {
  const { text = '', revision } = (await files.text(path)) ?? {}
  const changed = changeProperties(text, new Map(Object.entries(values)))
  if (changed === text) return
  const bytes = Buffer.from(changed)
  const asked = revision === undefined ? undefined : { revision }
  await files.write(path, { bytes: Readable.from([bytes]), length: bytes.length }, asked)
}
