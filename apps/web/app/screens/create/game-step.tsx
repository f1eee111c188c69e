import { NativeSelect } from '@mantine/core'
import { gameOfEngine, games } from '@wakestone/contract/servers/server'
import { Fragment } from 'react'
import { AbsentEngines } from '#app/features/offers/absent-engines.tsx'
import { MissingEngine } from '#app/features/offers/missing-engine.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import classes from './create.module.css'
import { Option, Step, type StepProps } from './step.tsx'

/** Which engine, and which version of it. */
export function GameStep({ choice, catalogue, update, refusal }: StepProps) {
  const { t } = useTranslation()
  const { engine, missingEngine, version } = choice
  const labelled = (id: string) => ({
    value: id,
    label: id === engine?.latest ? t('create.latest', { version: id }) : id,
  })
  const releases =
    engine?.versions.filter((candidate) => candidate.type === 'release').map((candidate) => labelled(candidate.id)) ??
    []
  const snapshots =
    engine?.versions.filter((candidate) => candidate.type === 'snapshot').map((candidate) => labelled(candidate.id)) ??
    []
  return (
    <Step title={t('create.game')} parts={['engine']} refusal={refusal}>
      {missingEngine !== undefined && <MissingEngine engine={missingEngine} />}
      <div role="radiogroup" aria-label={t('create.engine')}>
        {games.map((game) => {
          const engines = catalogue.engines.filter((candidate) => gameOfEngine[candidate.id] === game)
          return engines.length === 0 ? null : (
            <Fragment key={game}>
              <p className={classes.edition}>
                <strong>{t(`games.${game}.name`)}</strong> <span>{t(`games.${game}.who`)}</span>
              </p>
              <div className={classes.engines}>
                {engines.map((candidate) => (
                  <Option
                    key={candidate.id}
                    name="engine"
                    checked={candidate.id === engine?.id}
                    onChoose={() => update({ engine: candidate.id, version: null })}
                  >
                    <strong>{candidate.name}</strong>
                    <span className={classes.muted}>{t(`create.engineHints.${candidate.id}`)}</span>
                  </Option>
                ))}
              </div>
            </Fragment>
          )
        })}
      </div>
      {missingEngine === undefined && <AbsentEngines offered={catalogue.engines} />}
      <NativeSelect
        label={t('create.version')}
        className={classes.version}
        value={version ?? ''}
        onChange={(event) => update({ engine: engine?.id ?? null, version: event.currentTarget.value })}
        data={
          snapshots.length === 0
            ? releases
            : [
                { group: t('create.releases'), items: releases },
                { group: t('create.snapshots'), items: snapshots },
              ]
        }
      />
    </Step>
  )
}
