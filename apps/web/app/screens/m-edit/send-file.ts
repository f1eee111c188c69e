/** Sends a file of a release part by part, from where it was cut off; a connection that is lost is waited for. */

const partBytes = 8 * 1024 ** 2
const mostTries = 6

export class UploadRefused extends Error {
  readonly status: number
  constructor(status: number) {
    super(`the upload was refused: ${status}`)
    this.status = status
  }
}

const protocol = { 'tus-resumable': '1.0.0' }

export async function sendFile(
  file: Blob,
  {
    url,
    offset: begin,
    onProgress,
    signal,
  }: { url: string; offset: number; onProgress: (bytes: number) => void; signal: AbortSignal },
): Promise<void> {
  let offset = begin
  let tries = 0
  while (offset < file.size) {
    onProgress(offset)
    const response = await fetch(url, {
      method: 'PATCH',
      headers: { ...protocol, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) },
      body: file.slice(offset, offset + partBytes),
      signal,
    }).catch((error: unknown) => {
      if (signal.aborted) throw error
      return undefined
    })
    if (response?.status === 204) {
      offset = Number(response.headers.get('upload-offset'))
      tries = 0
      continue
    }
    if (response !== undefined && response.status !== 409 && response.status < 500)
      throw new UploadRefused(response.status)
    if (++tries >= mostTries) throw new UploadRefused(response?.status ?? 0)
    await new Promise((resolve) => setTimeout(resolve, 500 * 2 ** tries))
    offset = await askOffset(url, signal).catch(() => offset)
  }
  onProgress(file.size)
}

async function askOffset(url: string, signal: AbortSignal): Promise<number> {
  const response = await fetch(url, { method: 'HEAD', headers: protocol, signal })
  if (!response.ok) throw new UploadRefused(response.status)
  return Number(response.headers.get('upload-offset'))
}
