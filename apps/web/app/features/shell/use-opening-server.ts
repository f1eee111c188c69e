import { useEffect, useState } from 'react'
import { useLocation, useNavigation } from 'react-router'

/** What is there sooner needs no stand-in: it would only flicker. */
const SHOWN_AFTER_MS = 120

const identityIn = (path: string | undefined) => /^\/s\/([^/]+)/.exec(path ?? '')?.[1]

/** The address below `/s/{identity}` of a server that is being opened and is not there yet; undefined otherwise. */
export function useOpeningServer(): string | undefined {
  const here = identityIn(useLocation().pathname)
  const next = useNavigation().location?.pathname
  const identity = identityIn(next)
  const isOpening = identity !== undefined && identity !== here
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    if (!isOpening) return undefined
    const timer = setTimeout(() => setLong(true), SHOWN_AFTER_MS)
    return () => {
      clearTimeout(timer)
      setLong(false)
    }
  }, [isOpening, identity])
  return isOpening && isLong ? next?.slice(`/s/${identity}`.length) : undefined
}
