import { useTranslation } from '#app/i18n/texts.tsx'
import { useClusterName } from '#app/features/servers/use-cluster-name.ts'
import { useLanguage } from '#app/i18n/use-format.ts'
import { localeOf } from '#app/i18n/languages.ts'
import classes from './create.module.css'
import { Option, Step, type StepProps } from './step.tsx'

/** Where the server runs. */
export function PlaceStep({ choice, catalogue, update, refusal }: StepProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const clusterName = useClusterName()
  const countries = new Intl.DisplayNames([localeOf[language]], { type: 'region' })
  return (
    <Step title={t('create.cluster')} parts={['cluster']} refusal={refusal}>
      <div className={classes.wallets} role="radiogroup" aria-label={t('create.cluster')}>
        {catalogue.clusters.map((cluster) => (
          <Option
            key={cluster.id}
            name="cluster"
            checked={cluster.id === choice.cluster?.id}
            disabled={cluster.disabled}
            onChoose={() => update({ cluster: cluster.id })}
          >
            <span>
              {clusterName(cluster)}
              {cluster.metadata.country_code !== null && (
                <span className={classes.muted}> {countries.of(cluster.metadata.country_code)}</span>
              )}
            </span>
            <span className={classes.muted}>
              {cluster.disabled ? t('create.clusterDisabled') : `*.${cluster.zone_name}`}
            </span>
          </Option>
        ))}
      </div>
    </Step>
  )
}
