import classes from './prose.module.css'

/** An article made on the server from Markdown; its HTML is safe there and shown as it is. */
export function Prose({ html, small = false }: { html: string; small?: boolean }) {
  return <div className={classes['prose']} data-small={small} dangerouslySetInnerHTML={{ __html: html }} />
}
