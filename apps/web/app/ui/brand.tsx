import classes from './brand.module.css'

/** The lantern: a handle, a frame, a light. */
export function LanternMark({ size = 22 }: { size?: number }) {
  return (
    <svg viewBox="0 0 24 24" width={size} height={size} fill="none" aria-hidden="true">
      <path d="M8.6 8.2V6.4a3.4 3.4 0 0 1 6.8 0v1.8" stroke="currentColor" strokeWidth="1.9" strokeLinecap="round" />
      <path
        d="M7.1 8.2h9.8l1.7 11.2a1.4 1.4 0 0 1-1.4 1.6H6.8a1.4 1.4 0 0 1-1.4-1.6Z"
        stroke="currentColor"
        strokeWidth="1.9"
        strokeLinejoin="round"
      />
      <rect x="9.6" y="11.4" width="4.8" height="6.2" rx="1.4" fill="var(--lantern)" />
    </svg>
  )
}

export function Brand() {
  return (
    <span className={classes['brand']}>
      <LanternMark />
      <span>Wakestone</span>
    </span>
  )
}
