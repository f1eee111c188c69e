import { useTranslation } from '#app/i18n/texts.tsx'
import { useLanguage } from '#app/i18n/use-format.ts'
import { panelPictures } from './pictures.ts'
import { Section } from './section.tsx'
import classes from './panel-pictures.module.css'

/** The panel as it is: pictures of a running server, in the theme of the page. */
export function PanelPictures() {
  const { t } = useTranslation()
  return (
    <Section id="panel" title={t('home.panel.title')} text={t('home.panel.text')}>
      <div className={classes['pictures']}>
        {(['server', 'phone', 'create'] as const).map((name) => (
          <figure key={name} data-picture={name}>
            <div className={classes['frame']}>
              <Picture name={name} theme="dark" />
              <Picture name={name} theme="light" />
            </div>
            <figcaption>{t(`home.panel.${name}`)}</figcaption>
          </figure>
        ))}
      </div>
    </Section>
  )
}

/** Only the one of the page's theme is laid out, and so only that one is loaded. */
function Picture({ name, theme }: { name: keyof typeof panelPictures; theme: 'dark' | 'light' }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const { width, height, sizes, filesOf } = panelPictures[name]
  const files = filesOf(language, theme)
  return (
    <picture className={classes[theme]}>
      <source type="image/avif" srcSet={files.avif} sizes={sizes} />
      <img
        src={files.webp}
        width={width}
        height={height}
        alt={t(`home.panel.${name}Alt`)}
        loading="lazy"
        decoding="async"
      />
    </picture>
  )
}
