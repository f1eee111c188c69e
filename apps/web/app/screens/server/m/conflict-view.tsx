import { IconArrowRight } from '@tabler/icons-react'
import type { PackageChange, PackagePreview } from '@wakestone/contract/servers/packages'
import { mapPackageNames, packageNamesIn } from '#app/features/packages/map-package-names.ts'
import { selectorText, tellChange, tellConflicts } from '#app/features/packages/package-reasons.ts'
import { usePackageHeads } from '#app/features/packages/use-package-heads.ts'
import { engineName } from '#app/features/servers/server-names.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useLanguage } from '#app/i18n/use-format.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { useServerPage } from '../use-server-page.ts'
import classes from './packages.module.css'

/** Why a change cannot be made, in sentences, and what would work instead. */
export function ConflictView({
  preview,
  engineAddress,
  onTake,
  onTakeDependants,
  onTakeEngine,
}: {
  preview: PackagePreview
  /** Where another version of the game is chosen. */
  engineAddress: string
  onTake: (changes: readonly PackageChange[]) => void
  /** Removes those as well that need what is to go. */
  onTakeDependants: (names: string[]) => void
  /** Changes to the engine that a pack is made for. */
  onTakeEngine: () => void
}) {
  const { t } = useTranslation()
  const teller = { t, language: useLanguage() }
  const { server } = useServerPage()
  const { conflicts, alternatives, missing_dependants: dependants, obstacle, path_conflicts: paths, ground } = preview
  const { titleOf } = usePackageHeads(server.id, packageNamesIn([conflicts, alternatives, dependants, paths]))
  const titled = <Told,>(told: Told) => mapPackageNames(told, titleOf)
  const names = [...new Set(dependants.map(({ dependant }) => dependant))]
  return (
    <div className={classes['conflict']} role="alert">
      <p>
        <strong>{t('packages.cannot')}</strong>
      </p>
      {obstacle !== null && obstacle !== 'conflicts' && obstacle !== 'needed_by_others' && (
        <p>{t(`packages.obstacles.${obstacle}`)}</p>
      )}
      {obstacle === 'needs_engine' && ground !== null && (
        <Button onClick={onTakeEngine} icon={<IconArrowRight size={16} aria-hidden="true" />}>
          {t('packages.changeEngine', { engine: engineName(ground.to.engine), version: ground.to.version })}
        </Button>
      )}
      {paths.length > 0 && (
        <ul className={classes['steps']}>
          {titled(paths).map(({ path, packages }) => (
            <li key={path}>
              <code>{path}</code> · {packages.join(', ')}
            </li>
          ))}
        </ul>
      )}
      {conflicts.length > 0 && (
        <ol className={classes['steps']}>
          {tellConflicts(titled(conflicts), teller).map(({ reasons, conclusion }, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- the order of steps is what they are
            <li key={index}>
              {reasons.map((reason) => (
                <p key={reason}>{reason}</p>
              ))}
              <p className={classes['so']}>{conclusion}</p>
            </li>
          ))}
        </ol>
      )}
      {names.length > 0 && (
        <>
          <ul className={classes['steps']}>
            {titled(dependants).map(({ dependant, selector }) => (
              <li key={`${dependant} ${selectorText(selector)}`}>
                {t('packages.reasons.requires', { who: dependant, wanted: selectorText(selector) })}
              </li>
            ))}
          </ul>
          <Button onClick={() => onTakeDependants(names)}>
            {t('packages.removeToo', { names: names.map(titleOf).join(', ') })}
          </Button>
        </>
      )}
      {alternatives.length > 0 && (
        <div className={classes['waysOut']}>
          <p>{t('packages.wouldWork')}</p>
          {alternatives.map((changes) => {
            const text = titled(changes)
              .map((change) => tellChange(change, teller))
              .join(' · ')
            return changes.some(({ kind }) => kind === 'ground') ? (
              <LinkButton key={text} to={engineAddress} icon={<IconArrowRight size={16} aria-hidden="true" />}>
                {text}
              </LinkButton>
            ) : (
              <Button key={text} onClick={() => onTake(changes)}>
                {text}
              </Button>
            )
          })}
        </div>
      )}
    </div>
  )
}
