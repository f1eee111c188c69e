/** Bytes of files, read and saved. */
import { ApiError } from '@wakestone/contract/client'
import { writtenFileSchema, type WrittenFile } from '@wakestone/contract/servers/files'
import { sendToApi } from '#app/api/client.ts'
import { refusalOf } from '#app/api/read-lines.ts'

const addressOf = (serverId: string, what: string, query: Record<string, string>) =>
  `/api/v1/servers/${encodeURIComponent(serverId)}/files/${what}?${new URLSearchParams(query)}`

export const contentAddress = (serverId: string, path: string) => addressOf(serverId, 'content', { path })

/** Content of a file, or the bytes from `startByte` to `endByte` (within) of it, and its revision. */
export async function readContent(
  serverId: string,
  path: string,
  { startByte, endByte, signal }: { startByte?: number; endByte?: number; signal?: AbortSignal } = {},
): Promise<{ bytes: Uint8Array<ArrayBuffer>; revision: string; total: number }> {
  const query = {
    path,
    ...(startByte === undefined ? {} : { startByte: String(startByte) }),
    ...(endByte === undefined ? {} : { endByte: String(endByte) }),
  }
  const response = await sendToApi(addressOf(serverId, 'content', query), signal === undefined ? {} : { signal })
  if (!response.ok) throw await refusalOf(response)
  const bytes = new Uint8Array(await response.arrayBuffer())
  const range = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '')
  return {
    bytes,
    revision: (response.headers.get('etag') ?? '').replace(/^(W\/)?"|"$/g, ''),
    total: range === null ? bytes.length : Number(range[1]),
  }
}

/**
 * Saves the whole content. `revision`: the one that was read; null: only where there is nothing yet.
 * @throws ApiError `file_has_been_modified_since` when it is another one by now.
 */
export async function writeContent(
  serverId: string,
  path: string,
  bytes: Uint8Array<ArrayBuffer>,
  revision: string | null,
): Promise<WrittenFile> {
  const response = await sendToApi(contentAddress(serverId, path), {
    method: 'PUT',
    headers: {
      'content-type': 'application/octet-stream',
      ...(revision === null ? { 'if-none-match': '*' } : { 'if-match': `"${revision}"` }),
    },
    body: bytes,
  })
  if (!response.ok) throw await refusalOf(response)
  return writtenFileSchema.parse(await response.json())
}

/** The bytes of a log from an offset on, then all that are added to it, until `signal` ends it or the connection does. */
export async function followContent(
  serverId: string,
  path: string,
  { from, onBytes, signal }: { from: number; onBytes: (bytes: Uint8Array) => void; signal: AbortSignal },
): Promise<void> {
  const response = await sendToApi(addressOf(serverId, 'follow', { path, from: String(from) }), { signal })
  if (!response.ok || response.body === null) throw await refusalOf(response)
  const reader = response.body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    onBytes(value)
  }
}

/** Whether saving was refused because somebody else has saved meanwhile. */
export function isModifiedSince(error: unknown): boolean {
  return error instanceof ApiError && error.body.error === 'file_has_been_modified_since'
}
