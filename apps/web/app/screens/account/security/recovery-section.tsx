import { IconDownload } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Ref } from 'react'
import { renewRecoveryCodes } from '@wakestone/contract/accounts/security-routes'
import { api } from '#app/api/client.ts'
import { securityQuery } from '#app/features/session/security-query.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { useCopy } from '#app/ui/use-copy.ts'
import { AskFirst } from './ask-first.tsx'
import classes from './security.module.css'

/** The codes for when the phone is gone. Nothing is shown where there is no second step that they could stand in for. */
export function RecoverySection({
  codes,
  onCodes,
  onSeen,
  ref,
}: {
  codes: readonly string[] | null
  onCodes: (codes: readonly string[]) => void
  onSeen: () => void
  ref: Ref<HTMLDivElement>
}) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { data } = useQuery(securityQuery())
  if (data === undefined || (data.totp === null && data.passkeys.length === 0)) return null
  const renew = async () => {
    const { recovery_codes } = await api(renewRecoveryCodes, {})
    await queries.invalidateQueries(securityQuery())
    onCodes(recovery_codes)
  }
  return (
    <Card title={t('security.recovery')} id="recovery-codes">
      <p className={classes['text']}>{t('security.recoveryText')}</p>
      {codes !== null ? (
        <Codes codes={codes} onSeen={onSeen} ref={ref} />
      ) : (
        <div className={classes['state']}>
          <p>{t('security.codesLeft', { count: data.recovery_codes_left })}</p>
          <AskFirst
            label={t('security.renew')}
            title={t('security.renewTitle')}
            text={t('security.renewText')}
            look="primary"
            onConfirm={renew}
          />
        </div>
      )}
    </Card>
  )
}

function Codes({ codes, onSeen, ref }: { codes: readonly string[]; onSeen: () => void; ref: Ref<HTMLDivElement> }) {
  const { t } = useTranslation()
  const { copied, copy } = useCopy()
  const text = `${codes.join('\n')}\n`
  const download = () => {
    const address = URL.createObjectURL(new Blob([`Wakestone\n\n${text}`], { type: 'text/plain' }))
    const link = Object.assign(document.createElement('a'), { href: address, download: 'wakestone-recovery-codes.txt' })
    link.click()
    URL.revokeObjectURL(address)
  }
  return (
    <div className={classes['codes']} ref={ref} tabIndex={-1} role="group" aria-label={t('security.newCodes')}>
      <strong>{t('security.newCodes')}</strong>
      <ul>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={classes['buttons']}>
        <Button size="small" icon={<IconDownload size={16} aria-hidden="true" />} onClick={download}>
          {t('security.download')}
        </Button>
        <Button size="small" onClick={() => copy(text)}>
          {copied ? t('address.copied') : t('code.copy')}
        </Button>
        <Button size="small" look="primary" onClick={onSeen}>
          {t('security.saved')}
        </Button>
      </div>
    </div>
  )
}
