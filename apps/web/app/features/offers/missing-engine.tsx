import { IconAlertTriangle } from '@tabler/icons-react'
import { engineName } from '#app/features/servers/server-names.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import classes from './missing-engine.module.css'

/** Says that an engine which was asked for cannot be installed now. */
export function MissingEngine({ engine }: { engine: string }) {
  const { t } = useTranslation()
  return (
    <div className={classes['note']} role="note">
      <IconAlertTriangle size={18} aria-hidden="true" />
      <p>{t('offers.engineMissing', { engine: engineName(engine) })}</p>
    </div>
  )
}
