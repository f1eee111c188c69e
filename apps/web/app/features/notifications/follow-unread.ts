import { verify } from '@wakestone/contract/accounts/users-routes'
import { api } from '#app/api/client.ts'

const name = 'ws-unread'
/** The first number came with the page; the stream waits until the page is done with itself. */
const patienceMilliseconds = 3_000
const retryMilliseconds = 30_000

/**
 * Calls back with the number of unread notifications whenever it changes. A browser has few connections to a host, so
 * one of its tabs listens and tells the others; when it goes, another one takes over.
 */
export function followUnread(listener: (unread: number) => void): () => void {
  const others = new BroadcastChannel(name)
  others.addEventListener('message', (event: MessageEvent<number>) => listener(event.data))
  const stopping = new AbortController()
  const { signal } = stopping

  const lead = () =>
    new Promise<void>((resolve) => {
      let source: EventSource | undefined
      let timer: ReturnType<typeof setTimeout> | undefined
      const open = () => {
        source = new EventSource('/api/v1/notifications/stream')
        source.addEventListener('unread', (event: MessageEvent<string>) => {
          const { unread } = JSON.parse(event.data) as { unread: number }
          listener(unread)
          // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
          others.postMessage(unread)
        })
        source.addEventListener('error', () => {
          if (source?.readyState !== EventSource.CLOSED) return // it comes back by itself
          // Refused: any call renews the session where it can be renewed.
          timer = setTimeout(
            () => void api(verify, { query: { simple: '1' } }).then(open, () => undefined),
            retryMilliseconds,
          )
        })
      }
      open()
      signal.addEventListener('abort', () => {
        clearTimeout(timer)
        source?.close()
        resolve()
      })
    })

  const start = setTimeout(() => {
    // Only pages with TLS, and those of this machine, have locks.
    if (navigator.locks === undefined) void lead()
    else void navigator.locks.request(name, { signal }, lead).catch(() => undefined)
  }, patienceMilliseconds)
  return () => {
    clearTimeout(start)
    stopping.abort()
    others.close()
  }
}
