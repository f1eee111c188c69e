import type { Address as ServerAddress } from '@wakestone/contract/servers/addresses'
import { proofGraceHours } from '@wakestone/contract/servers/addresses'
import { checkAddress, releaseDomain, setPrimaryDomain } from '@wakestone/contract/servers/addresses-routes'
import type { Server } from '@wakestone/contract/servers/server'
import { useState } from 'react'
import { api } from '#app/api/client.ts'
import { Records } from '#app/features/addresses/records.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Address } from '#app/ui/address.tsx'
import { Button } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import classes from './addresses.module.css'

/** One name: whether it works, what has to be set for it, and what can be done with it. */
export function AddressRow({
  server,
  address,
  why,
  renaming,
  onChanged,
}: {
  server: Server
  address: ServerAddress
  /** Why nothing can be changed. */
  why: string | undefined
  /** Gives the main address another name, and why it cannot be given one. */
  renaming: { why: string | undefined; onRename: () => void }
  onChanged: () => Promise<unknown>
}) {
  const { t } = useTranslation()
  const [busy, setBusy] = useState<'check' | 'primary' | null>(null)
  const [failure, setFailure] = useState<unknown>(undefined)
  const [isReleasing, setReleasing] = useState(false)
  const { fqdn, state, kind, unicode, external_ns: isOwn } = address
  const params = { id: server.id, domain_id: address.id }

  const run = async (what: 'check' | 'primary', work: () => Promise<unknown>) => {
    setBusy(what)
    setFailure(undefined)
    try {
      await work()
    } catch (error) {
      setFailure(error)
    } finally {
      await onChanged()
      setBusy(null)
    }
  }
  const makePrimary = () =>
    api(setPrimaryDomain, {
      params: { id: server.id },
      body: { subdomain: address.sub_domain, zone_name: address.zone_name },
    })

  return (
    <li className={classes['row']} data-testid={`address-${fqdn}`}>
      <div className={classes['words']}>
        <div className={classes['name']}>
          <Address address={address.join} />
          {kind === 'primary' && <span className={classes['mark']}>{t('addresses.primary')}</span>}
        </div>
        {unicode !== null && <p className={classes['hint']}>{t('addresses.unicode', { unicode })}</p>}
        <p className={classes['state']} data-state={state}>
          {t(`addresses.state.${state}`)}
        </p>
        {state !== 'works' && isOwn && (
          <p className={classes['hint']}>{t(state === 'unproven' ? 'addresses.proveHint' : 'addresses.leadHint')}</p>
        )}
        {address.error !== null && <ErrorNote error={address.error} />}
        {address.proof_missing_since !== null && (
          <p className={classes['warning']}>
            {t('addresses.proofMissing', { hours: proofGraceHours })} <DateTime value={address.proof_missing_since} />
          </p>
        )}
        {isOwn && address.checked_at !== null && (
          <p className={classes['hint']}>
            {t('addresses.checkedAt')} <DateTime value={address.checked_at} />
          </p>
        )}
        {failure !== undefined && <ErrorNote error={failure} />}
      </div>
      <div className={classes['actions']}>
        {kind === 'primary' && (
          <Button
            size="small"
            why={renaming.why}
            aria-label={t('addresses.changePrimaryOf', { name: fqdn })}
            onClick={renaming.onRename}
          >
            {t('addresses.changePrimary')}
          </Button>
        )}
        {state !== 'unproven' && kind === 'secondary' && (
          <Button
            size="small"
            why={why}
            loading={busy === 'primary'}
            aria-label={t('addresses.makePrimaryOf', { name: fqdn })}
            onClick={() => void run('primary', makePrimary)}
          >
            {t('addresses.makePrimary')}
          </Button>
        )}
        <Button
          size="small"
          why={why}
          loading={busy === 'check'}
          aria-label={t('addresses.checkOf', { name: fqdn })}
          onClick={() => void run('check', () => api(checkAddress, { params }))}
        >
          {t('addresses.check')}
        </Button>
        <Button
          size="small"
          look="quiet"
          why={why}
          aria-label={t('addresses.releaseOf', { name: fqdn })}
          onClick={() => setReleasing(true)}
        >
          {t('addresses.release')}
        </Button>
      </div>
      {address.targets.length > 0 && (
        <Records hint={t('addresses.recordsHint')} targets={address.targets} isOpen={isOwn && state !== 'works'} />
      )}
      <ConfirmDialog
        opened={isReleasing}
        onClose={() => setReleasing(false)}
        title={t('addresses.releaseTitle', { name: fqdn })}
        text={t(isOwn ? 'addresses.releaseOwnText' : 'addresses.releaseText')}
        action={t('addresses.release')}
        onConfirm={async () => {
          await api(releaseDomain, { params })
          await onChanged()
        }}
      />
    </li>
  )
}
