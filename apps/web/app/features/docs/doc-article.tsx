import { useNavigate } from 'react-router'
import { useTranslation } from '#app/i18n/texts.tsx'
import type { Language } from '#app/i18n/languages.ts'
import { Prose } from '#app/ui/prose.tsx'
import { writeClipboard } from '#app/ui/write-clipboard.ts'
import classes from './doc-article.module.css'

const shownFor = 2_000

/** The text of a page. Its links and buttons are in the HTML that the build wrote; this does what they say. */
export function DocArticle({ html, language }: { html: string; language: Language }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  async function copy(event: React.MouseEvent) {
    const button = (event.target as Element).closest('[data-copy]')
    const code = button?.parentElement?.querySelector('code')?.textContent
    if (button == null || code == null) return
    if (!(await writeClipboard(code))) return
    button.textContent = t('address.copied')
    setTimeout(() => (button.textContent = t('code.copy')), shownFor)
  }
  function follow(event: React.MouseEvent) {
    const href = (event.target as Element).closest('a')?.getAttribute('href')
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (!isPlain || !href?.startsWith('/') || href.startsWith('/static/')) return
    event.preventDefault()
    void navigate(href)
  }
  return (
    <div
      className={classes['article']}
      lang={language}
      onClick={(event) => {
        follow(event)
        void copy(event)
      }}
    >
      <Prose html={html.replaceAll('{{copy}}', t('code.copy'))} />
    </div>
  )
}
