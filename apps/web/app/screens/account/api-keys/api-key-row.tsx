import { useQueryClient } from '@tanstack/react-query'
import type { ApiKey } from '@wakestone/contract/accounts/api-key'
import { capabilityNames, capabilityTextKey } from '@wakestone/contract/capability-names'
import { deleteApiKey } from '@wakestone/contract/accounts/api-keys-routes'
import { api } from '#app/api/client.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import classes from '../account.module.css'
import { AskFirst } from '../security/ask-first.tsx'
import { apiKeysQuery } from './api-keys-query.ts'
import own from './api-keys.module.css'

/** One key: what it may do and from where, when it was used last, and its end. */
export function ApiKeyRow({ apiKey }: { apiKey: ApiKey }) {
  const { t } = useTranslation()
  const { id: userId } = useSignedInUser()
  const queries = useQueryClient()
  const { id: keyId, name, hint, scopes, address_ranges, expires_at, last_used_at, last_used_ip } = apiKey
  const isOver = expires_at !== null && Date.parse(expires_at) <= Date.now()
  const revoke = async () => {
    await api(deleteApiKey, { params: { id: userId, keyId } })
    await queries.invalidateQueries(apiKeysQuery(userId))
  }
  const may = capabilityNames
    .filter((scope) => scopes.includes(scope))
    .map((scope) => t(`capabilities.names.${capabilityTextKey(scope)}`))
  return (
    <li>
      <div className={classes['device']}>
        <b>{name}</b> <code className={own['hint']}>{hint}…</code>
        <p>{may.join(' · ')}</p>
        {address_ranges.length > 0 && <p>{t('apiKeys.from', { ranges: address_ranges.join(', ') })}</p>}
        <p>
          {last_used_at === null ? (
            t('apiKeys.neverUsed')
          ) : (
            <>
              {t('account.lastUsed')} <DateTime value={last_used_at} /> · {last_used_ip}
            </>
          )}
          {' · '}
          {expires_at === null ? (
            t('apiKeys.endless')
          ) : (
            <span className={isOver ? own['over'] : undefined}>
              {t(isOver ? 'apiKeys.expired' : 'apiKeys.expires')} <DateTime value={expires_at} />
            </span>
          )}
        </p>
      </div>
      <AskFirst
        label={t('apiKeys.revoke')}
        name={t('apiKeys.revokeOf', { name })}
        title={t('apiKeys.revokeTitle', { name })}
        text={t('apiKeys.revokeText')}
        onConfirm={revoke}
      />
    </li>
  )
}
