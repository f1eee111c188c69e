import { useEffect, useState } from 'react'

/** Long enough for the second half of a double click, too short to be waited for. */
const pauseMs = 500

/** Whether a dialog has been open for a moment. Until then a click on it was meant for what lay there before. */
export function useSettled(isOpen: boolean): boolean {
  const [isSettled, setSettled] = useState(false)
  useEffect(() => {
    if (!isOpen) return
    const timer = setTimeout(() => setSettled(true), pauseMs)
    return () => {
      clearTimeout(timer)
      setSettled(false)
    }
  }, [isOpen])
  return isSettled
}
