import type { AddressTarget } from '@wakestone/contract/servers/addresses'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Address } from '#app/ui/address.tsx'
import classes from './records.module.css'

/** Records of a name: those that its owner sets, or that are set already. `hint`: what to know of those to set. */
export function Records({
  targets,
  isOpen,
  hint,
}: {
  targets: readonly AddressTarget[]
  isOpen: boolean
  hint: string
}) {
  const { t } = useTranslation()
  const areOwn = targets.some(({ mode }) => mode === 'own')
  return (
    <details className={classes['records']} open={isOpen}>
      <summary>{t(areOwn ? 'addresses.recordsToSet' : 'addresses.records')}</summary>
      {targets.map(({ record_name: name, record_type: type, dns_content: content }) => (
        <dl key={`${type} ${name} ${content}`} className={classes['record']}>
          <div>
            <dt>{t('addresses.recordType')}</dt>
            <dd>
              <b>{type}</b>
            </dd>
          </div>
          <div>
            <dt>{t('addresses.recordName')}</dt>
            <dd>
              <Address address={name} kind="name" />
            </dd>
          </div>
          <div>
            <dt>{t('addresses.recordContent')}</dt>
            <dd>
              <Address address={content} kind="content" />
            </dd>
          </div>
        </dl>
      ))}
      {areOwn && <p className={classes['hint']}>{hint}</p>}
    </details>
  )
}
