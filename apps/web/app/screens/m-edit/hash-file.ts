/** A file that cannot be read any more: it was changed or removed since it was chosen. */
class FileUnreadable extends Error {
  readonly fileName: string
  constructor(fileName: string) {
    super(`cannot be read: ${fileName}`)
    this.fileName = fileName
  }
}

type Told = { done: number } | { hash: string } | { error: string }

/** SHA-256 as hexadecimal digits. @throws FileUnreadable, or the signal's reason */
export function hashFile(
  file: File,
  { onProgress, signal }: { onProgress: (bytes: number) => void; signal: AbortSignal },
): Promise<string> {
  signal.throwIfAborted()
  const worker = new Worker(new URL('./hash-worker.ts', import.meta.url), { type: 'module' })
  return new Promise<string>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    worker.addEventListener('error', () => reject(new FileUnreadable(file.name)))
    worker.addEventListener('message', ({ data }: MessageEvent<Told>) => {
      if ('done' in data) onProgress(data.done)
      else if ('hash' in data) resolve(data.hash)
      else reject(new FileUnreadable(file.name))
    })
    worker.postMessage(file, { transfer: [] })
  }).finally(() => worker.terminate())
}
