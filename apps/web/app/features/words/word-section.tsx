import type { WordPage } from '@wakestone/contract/site/document'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Prose } from '#app/ui/prose.tsx'
import { icons } from './icons.ts'
import classes from './word-section.module.css'

type Section = WordPage['sections'][number]
type Item = Section['items'][number]

export function WordSection({ section }: { section: Section }) {
  const { id, title, kind, html, items } = section
  return (
    <section id={id} className={classes['section']} data-kind={kind}>
      <div className={classes['wrap']}>
        <div className={classes['head']}>
          <h2>
            {title} {section.is_soon && <SoonTag />}
          </h2>
          {html !== '' && <Prose html={html} />}
        </div>
        {kind === 'questions' ? (
          <div className={classes['questions']}>
            {items.map((item) => (
              <details key={item.title}>
                <summary>
                  <h3>{item.title}</h3>
                </summary>
                <Prose html={item.html} small />
              </details>
            ))}
          </div>
        ) : (
          items.length > 0 && <Items kind={kind} items={items} />
        )}
      </div>
    </section>
  )
}

function Items({ kind, items }: { kind: Section['kind']; items: readonly Item[] }) {
  const List = kind === 'steps' ? 'ol' : 'ul'
  return (
    <List className={classes['items']} data-kind={kind} data-count={items.length}>
      {items.map((item) => {
        const Icon = icons[item.icon ?? '']
        return (
          <li key={item.title}>
            {Icon !== undefined && (
              <span className={classes['icon']} aria-hidden="true">
                <Icon size={22} stroke={1.7} />
              </span>
            )}
            <h3>
              {item.title} {item.is_soon && <SoonTag />}
            </h3>
            <Prose html={item.html} small />
          </li>
        )
      })}
    </List>
  )
}

function SoonTag() {
  const { t } = useTranslation()
  return <span className={classes['soon']}>{t('words.soon')}</span>
}
