import { TextInput, Textarea } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { Language } from '@wakestone/contract/values'
import { pageSchema, type WebsitePage, websiteLimits } from '@wakestone/contract/websites/content'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import classes from './editor.module.css'
import type { Draft } from './use-draft.ts'

const none = () => ({ en: '', pl: '', de: '' })

/** Pages of the website: their order, their names in each language, what search engines say of them. */
export function PagesPanel({
  draft,
  at,
  onPage,
  language,
}: {
  draft: Draft
  at: number
  onPage: (index: number) => void
  language: Language
}) {
  const { t } = useTranslation()
  const { content, setContent } = draft
  const { pages } = content
  const [removing, setRemoving] = useState<number | null>(null)
  const page = pages[at]
  const nameOf = ({ title, slug }: WebsitePage) =>
    title[language] || title[content.languages[0] as Language] || `/${slug}`
  const change = (next: Partial<WebsitePage>) =>
    setContent((old) => ({ ...old, pages: old.pages.map((one, index) => (index === at ? { ...one, ...next } : one)) }))
  function add() {
    const taken = new Set(pages.map(({ slug }) => slug))
    let number = pages.length + 1
    while (taken.has(`page-${number}`)) number++
    const made = { slug: `page-${number}`, title: none(), description: none(), blocks: [] }
    setContent((old) => ({ ...old, pages: [...old.pages, made] }))
    onPage(pages.length)
  }
  function move(from: number, by: -1 | 1) {
    setContent((old) => {
      const next = [...old.pages]
      const [moved] = next.splice(from, 1)
      if (moved !== undefined) next.splice(from + by, 0, moved)
      return { ...old, pages: next }
    })
    onPage(from + by)
  }
  if (page === undefined) return null
  const slugFault =
    page.slug === '' || (pageSchema.shape.slug.safeParse(page.slug).success && !isTwice(pages, page.slug))
      ? undefined
      : t('websites.slugFault')
  return (
    <section className={classes['panel']} aria-label={t('websites.tabs.pages')}>
      <h2 className={classes['head']}>{t('websites.tabs.pages')}</h2>
      <ol className={classes['blocks']}>
        {pages.map((one, index) => {
          const name = nameOf(one)
          return (
            <li key={one.slug} className={classes['block']} data-chosen={index === at}>
              <button
                type="button"
                className={classes['choose']}
                aria-pressed={index === at}
                onClick={() => onPage(index)}
              >
                {name}
              </button>
              <span className={classes['tools']}>
                {/* The first one is the front page, and stays it. */}
                <button
                  type="button"
                  className={classes['tool']}
                  aria-label={t('websites.up', { name })}
                  disabled={index < 2}
                  onClick={() => move(index, -1)}
                >
                  <IconArrowUp size={18} />
                </button>
                <button
                  type="button"
                  className={classes['tool']}
                  aria-label={t('websites.down', { name })}
                  disabled={index === 0 || index === pages.length - 1}
                  onClick={() => move(index, 1)}
                >
                  <IconArrowDown size={18} />
                </button>
                <button
                  type="button"
                  className={classes['tool']}
                  aria-label={t('websites.remove', { name })}
                  disabled={index === 0}
                  onClick={() => setRemoving(index)}
                >
                  <IconTrash size={18} />
                </button>
              </span>
            </li>
          )
        })}
      </ol>
      <Button
        size="small"
        icon={<IconPlus size={16} />}
        why={pages.length >= websiteLimits.pages ? t('websites.fullList', { most: websiteLimits.pages }) : undefined}
        onClick={add}
      >
        {t('websites.addPage')}
      </Button>
      <TextInput
        label={t('websites.pageTitle')}
        value={page.title[language]}
        maxLength={60}
        lang={language}
        onChange={(event) => change({ title: { ...page.title, [language]: event.currentTarget.value } })}
      />
      {at > 0 && (
        <TextInput
          label={t('websites.pageAddress')}
          value={page.slug}
          maxLength={40}
          autoCapitalize="off"
          spellCheck={false}
          error={slugFault}
          onChange={(event) => change({ slug: event.currentTarget.value.toLowerCase().replaceAll(' ', '-') })}
        />
      )}
      <Textarea
        label={t('websites.pageDescription')}
        description={t('websites.pageDescriptionHint')}
        value={page.description[language]}
        maxLength={200}
        autosize
        minRows={2}
        lang={language}
        onChange={(event) =>
          change({ description: { ...page.description, [language]: event.currentTarget.value.replaceAll('\n', ' ') } })
        }
      />
      <ConfirmDialog
        opened={removing !== null}
        onClose={() => setRemoving(null)}
        title={t('websites.removePage', { name: nameOf(pages[removing ?? 0] ?? page) })}
        text={t('websites.removePageText')}
        action={t('websites.removePageAction')}
        onConfirm={async () => {
          setContent((old) => ({ ...old, pages: old.pages.filter((_, index) => index !== removing) }))
          onPage(0)
          setRemoving(null)
        }}
      />
    </section>
  )
}

const isTwice = (pages: readonly WebsitePage[], slug: string) => pages.filter((one) => one.slug === slug).length > 1
