import { Prose } from '#app/ui/prose.tsx'
import classes from './shop.module.css'

/** What an owner wrote. What was saved before Markdown was understood is shown as it stands. */
export function OwnerText({ html, text }: { html: string; text: string }) {
  if (html !== '') return <Prose html={html} small />
  return text === '' ? null : <p className={classes['text']}>{text}</p>
}
