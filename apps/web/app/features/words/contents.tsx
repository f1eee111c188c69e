import { useEffect, useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import classes from './contents.module.css'

type Headings = readonly { id: string; level: number; text: string }[]

/** Table of contents: beside the text where there is room, folded above it elsewhere. */
export function Contents({ headings }: { headings: Headings }) {
  const { t } = useTranslation()
  const chapters = headings.filter(({ level }) => level === 2)
  const here = useSectionInView(headings)
  const list = (
    <ol className={classes['list']}>
      {chapters.map(({ id, text }) => (
        <li key={id}>
          <a href={`#${id}`} aria-current={id === here ? 'location' : undefined}>
            {text}
          </a>
        </li>
      ))}
    </ol>
  )
  return (
    <>
      <nav className={classes['beside']} aria-labelledby="contents-title">
        <p id="contents-title" className={classes['title']}>
          {t('legal.contents')}
        </p>
        {list}
      </nav>
      <details className={classes['folded']}>
        <summary>{t('legal.contents')}</summary>
        <nav aria-label={t('legal.contents')}>{list}</nav>
      </details>
    </>
  )
}

/** The chapter that the reader is in: the last whose heading has passed the top. */
function useSectionInView(headings: Headings): string | undefined {
  const [here, setHere] = useState<string>()
  useEffect(() => {
    const elements = headings.filter(({ level }) => level === 2).map(({ id }) => document.getElementById(id))
    let frame = 0
    const look = () => {
      frame = 0
      setHere(elements.findLast((element) => element && element.getBoundingClientRect().top < 140)?.id)
    }
    const onScroll = () => {
      if (frame === 0) frame = requestAnimationFrame(look)
    }
    look()
    addEventListener('scroll', onScroll, { passive: true })
    return () => {
      cancelAnimationFrame(frame)
      removeEventListener('scroll', onScroll)
    }
  }, [headings])
  return here
}
