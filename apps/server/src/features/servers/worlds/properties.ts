/** `server.properties` through the files service, which is there when no game and no supervisor is. */
import { Readable } from 'node:stream'
import { DomainError } from '@wakestone/contract/errors'
import { changeProperties, readProperties } from '@wakestone/minecraft/properties'
import type { FilesClient } from '#src/adapters/files/client.ts'

const path = 'server.properties'
const mostBytes = 1024 * 1024

async function readFile(files: FilesClient): Promise<{ text: string; revision: string | undefined }> {
  try {
    const { head, body } = await files.read(path)
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > mostBytes) throw new DomainError('file_is_too_large', { resource: 'file', limit: mostBytes })
      chunks.push(chunk)
    }
    return { text: Buffer.concat(chunks).toString('utf8'), revision: head.revision }
  } catch (error) {
    if (error instanceof DomainError && error.code === 'file_does_not_exist') return { text: '', revision: undefined }
    throw error
  }
}

/** Some values as they are; null: none. */
export async function readServerProperties(
  files: FilesClient,
  keys: readonly string[],
): Promise<Record<string, string | null>> {
  const present = readProperties((await readFile(files)).text)
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
  const { text, revision } = await readFile(files)
  const changed = changeProperties(text, new Map(Object.entries(values)))
  if (changed === text) return
  const bytes = Buffer.from(changed)
  const asked = revision === undefined ? undefined : { revision }
  await files.write(path, { bytes: Readable.from([bytes]), length: bytes.length }, asked)
}
