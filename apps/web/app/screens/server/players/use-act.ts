import { useState } from 'react'

/** Something that is done once at a time: whether it is under way, and how it failed. */
export function useAct() {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(undefined)
  /** @returns whether it was done */
  const act = async (work: () => Promise<unknown>): Promise<boolean> => {
    setBusy(true)
    setFailure(undefined)
    try {
      await work()
      return true
    } catch (error) {
      setFailure(error)
      return false
    } finally {
      setBusy(false)
    }
  }
  return { busy, failure, act }
}

export type Rights = {
  canAct: boolean
  /** Who can make operators can do in the game what the console can. */
  canOperate: boolean
  canForget: boolean
}
