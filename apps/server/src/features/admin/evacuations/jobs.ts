/** Work that goes on while clusters are emptied. */
import type { Context } from '#src/context.ts'
import { passEvacuations, type PassDeps } from './pass.ts'

const passMilliseconds = 2_000

export type EvacuationWork = { close(): Promise<void> }

export function beginEvacuations(deps: PassDeps & Pick<Context, 'logger'>): EvacuationWork {
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let passing: Promise<void> = Promise.resolve()
  function passOnce() {
    passing = passEvacuations(deps)
      .catch((error: unknown) => deps.logger.warn({ error }, 'clusters cannot be emptied for now'))
      .then(() => {
        if (!isClosed) timer = setTimeout(passOnce, passMilliseconds)
      })
  }
  passOnce()
  return {
    async close() {
      isClosed = true
      clearTimeout(timer)
      await passing
    },
  }
}
