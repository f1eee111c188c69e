import { useEffect, useState } from 'react'
import type { DemoServer } from '@wakestone/contract/servers/demo-routes'

/** Often enough to see it wake. */
const everyMs = 3_000

/**
 * The demo server as it is now, asked again while somebody looks at the page. `undefined`: not known yet; `null`: there
 * is none that could be joined. What asks is loaded only where there is something to ask for.
 */
export function useDemoServer(isWanted: boolean): DemoServer | null | undefined {
  const [server, setServer] = useState<DemoServer | null>()
  useEffect(() => {
    if (!isWanted) return undefined
    let isGone = false
    let timer: ReturnType<typeof setTimeout>
    const ask = async () => {
      if (!document.hidden) {
        const { askDemoServer } = await import('./ask-demo-server.ts')
        const answer = await askDemoServer()
        if (isGone) return
        // One answer that did not come is no news of a server that was there.
        setServer((before) => answer ?? before ?? null)
      }
      timer = setTimeout(() => void ask(), everyMs)
    }
    void ask()
    return () => {
      isGone = true
      clearTimeout(timer)
    }
  }, [isWanted])
  return server
}
