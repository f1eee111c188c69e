import { type FocusEvent, type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'

/**
 * A list under a button: `<details>`, so that it also opens without JavaScript. Esc, a click elsewhere and a choice
 * close it. Going on with the keyboard leaves it, or with `keepsFocus`, for one that covers the page, starts over.
 */
export function Dropdown({
  summary,
  className,
  keepsFocus = false,
  children,
}: {
  summary: ReactNode
  className: string | undefined
  keepsFocus?: boolean
  children: ReactNode
}) {
  const box = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    const closeOutside = ({ target }: PointerEvent) => {
      if (box.current !== null && !box.current.contains(target as Node)) box.current.open = false
    }
    document.addEventListener('pointerdown', closeOutside)
    return () => document.removeEventListener('pointerdown', closeOutside)
  }, [])
  const closeOnEscape = (event: KeyboardEvent<HTMLDetailsElement>) => {
    if (event.key !== 'Escape' || !event.currentTarget.open) return
    event.currentTarget.open = false
    event.currentTarget.querySelector('summary')?.focus()
  }
  const leave = ({ currentTarget, target, relatedTarget }: FocusEvent<HTMLDetailsElement>) => {
    if (!currentTarget.open || relatedTarget === null || currentTarget.contains(relatedTarget)) return
    if (!keepsFocus) {
      currentTarget.open = false
      return
    }
    const items = currentTarget.querySelectorAll<HTMLElement>('summary, a[href], button')
    if (target === items[0]) items[items.length - 1]?.focus()
    else items[0]?.focus()
  }
  return (
    <details
      ref={box}
      className={className}
      data-covers={keepsFocus}
      onKeyDown={closeOnEscape}
      onBlur={leave}
      onClick={(event) => {
        if ((event.target as Element).closest('a[href]') !== null) event.currentTarget.open = false
      }}
    >
      <summary>{summary}</summary>
      {children}
    </details>
  )
}
