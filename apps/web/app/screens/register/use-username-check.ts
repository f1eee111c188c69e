import { useEffect, useState } from 'react'

type State = 'unknown' | 'free' | 'taken'

/** Asks, once typing pauses, whether a name is free. */
export function useUsernameCheck(name: string): State {
  const [answer, setAnswer] = useState<{ name: string; state: State } | undefined>(undefined)
  useEffect(() => {
    if (name === '') return
    let isCurrent = true
    const timer = setTimeout(async () => {
      const { askForUsername } = await import('./register-calls.ts')
      const state = await askForUsername(name)
      if (isCurrent) setAnswer({ name, state })
    }, 400)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [name])
  return answer?.name === name ? answer.state : 'unknown'
}
