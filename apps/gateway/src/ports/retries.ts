/**
 * Tries again to open ports that could not be opened: another gateway may hold them that is just ending. Of each it is
 * said once.
 */
const RETRY_MS = 1_000

type Retries = { failed(port: number, tell: () => void): void; opened(port: number): void; close(): void }

export function createRetries(again: () => void): Retries {
  const told = new Set<number>()
  let timer: NodeJS.Timeout | undefined
  return {
    failed(port, tell) {
      if (!told.has(port)) tell()
      told.add(port)
      timer ??= setTimeout(() => {
        timer = undefined
        again()
      }, RETRY_MS)
    },
    opened: (port) => void told.delete(port),
    close: () => clearTimeout(timer),
  }
}
