/** What a simulated catalogue of packages is asked and answers. */
import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

export type CatalogueAnswer = {
  status?: number
  headers?: Record<string, string>
  /** An object is sent as JSON; undefined: nothing. */
  body?: unknown
}
export type CatalogueRequest = {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: string
}
/** @returns undefined for what is not of this catalogue */
export type Catalogue = (request: CatalogueRequest) => CatalogueAnswer | undefined

/**
 * A file of a release: a small text, whose hashes hold.
 * @param content of one that is something else
 */
export function catalogueFile(name: string, content: Buffer = Buffer.from(`file ${name}\n`)) {
  const digest = (algorithm: string) => createHash(algorithm).update(content).digest('hex')
  return {
    name,
    content,
    size: content.length,
    sha1: digest('sha1'),
    sha256: digest('sha256'),
    sha512: digest('sha512'),
  }
}
