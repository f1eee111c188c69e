import { useEffect, useState } from 'react'
import { ApiError } from '@wakestone/contract/client'
import { checkUsername } from '@wakestone/contract/routes/users'
import { usernameSchema } from '@wakestone/contract/validation'
import { api } from '#app/api/client.ts'

/** Asks, once typing pauses, whether a name is free. */
export function useUsernameCheck(name: string): 'unknown' | 'free' | 'taken' {
  const [answer, setAnswer] = useState<{ name: string; state: 'free' | 'taken' } | undefined>(undefined)
  useEffect(() => {
    if (!usernameSchema.safeParse(name).success) return
    let isCurrent = true
    const tell = (state: 'free' | 'taken') => {
      if (isCurrent) setAnswer({ name, state })
    }
    const timer = setTimeout(() => {
      api(checkUsername, { params: { name } })
        .then(() => tell('free'))
        // Only a clear answer counts: the submit asks again anyway.
        .catch(
          (error: unknown) =>
            error instanceof ApiError && error.body.error === 'resource_already_exists' && tell('taken'),
        )
    }, 400)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [name])
  return answer?.name === name ? answer.state : 'unknown'
}
