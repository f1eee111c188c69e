import type { Finding } from '@wakestone/contract/marketplace/release'
import { useTranslation } from '#app/i18n/texts.tsx'
import { findingTexts } from './finding-texts.ts'
import classes from './project.module.css'

/** What the gate has found in the files of a release. */
export function Findings({
  findings,
  isMember,
  isOpen = false,
}: {
  findings: readonly Finding[]
  isMember: boolean
  isOpen?: boolean
}) {
  const { t } = useTranslation()
  const texts = findingTexts(t)
  return (
    <details
      className={classes['findings']}
      open={isOpen || (isMember && findings.some(({ level }) => level === 'refused'))}
    >
      <summary>{t('market.findings')}</summary>
      <p className={classes['muted']}>{t('market.findingsText')}</p>
      <ul>
        {findings.map((finding) => (
          <li key={`${finding.rule} ${finding.file}`} data-level={finding.level}>
            {texts(finding.rule)}
            {finding.file !== '' && isMember && <span className={classes['muted']}> · {finding.file}</span>}
            {finding.details.length > 0 && (
              <ul className={classes['details']}>
                {finding.details.map((detail) => (
                  <li key={detail}>
                    <code>{detail}</code>
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </details>
  )
}
