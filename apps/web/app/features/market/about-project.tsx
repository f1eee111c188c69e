import type { Project } from '@wakestone/contract/marketplace/project'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useLanguage } from '#app/i18n/use-format.ts'
import { Prose } from '#app/ui/prose.tsx'
import classes from './project.module.css'

/** What a project says of itself: in the page's language, else in the one it was written in. */
export function AboutProject({ project }: { project: Pick<Project, 'descriptions'> }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const text =
    project.descriptions.find((one) => one.language === language && one.html !== '') ??
    project.descriptions.find((one) => one.is_original)
  if (text === undefined || text.html === '') return <p className={classes['muted']}>{t('market.noDescription')}</p>
  return (
    <div lang={text.language}>
      {text.is_machine && <p className={classes['muted']}>{t('market.machineTranslated')}</p>}
      <Prose html={text.html} />
    </div>
  )
}
