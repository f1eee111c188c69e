import classes from './loader.module.css'

/** Covers the page below the header while something large is on its way, and fades in and out. `text` says what. */
export function FullScreenLoader({ text }: { text: string | null }) {
  return (
    <div className={classes['loader']} data-shown={text !== null} role="status">
      {text !== null && (
        <>
          <span className={classes['light']} aria-hidden="true" />
          {text}
        </>
      )}
    </div>
  )
}
