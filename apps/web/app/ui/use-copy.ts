import { useCallback, useEffect, useRef, useState } from 'react'
import { writeClipboard } from './write-clipboard.ts'

/** Copies text; `copied` is true for half a second after. */
export function useCopy(): { copied: boolean; copy: (text: string) => void } {
  const [copied, setCopied] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const copy = useCallback((text: string) => {
    void writeClipboard(text).then((done) => {
      if (!done) return
      setCopied(true)
      clearTimeout(timer.current)
      timer.current = setTimeout(() => setCopied(false), 500)
    })
  }, [])
  return { copied, copy }
}
