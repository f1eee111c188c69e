import { type RefObject, useEffect, useRef } from 'react'

/**
 * For a form that was sent with something wrong in it: once that is marked, to the first of it, also where it is far
 * above the button.
 * @param tries how often it was sent.
 */
export function useFirstFault(tries: number): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (tries === 0) return
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    wrong?.focus({ preventScroll: true })
    wrong?.scrollIntoView({ block: 'center' })
  }, [tries])
  return form
}
