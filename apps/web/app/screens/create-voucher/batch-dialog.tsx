import { IconDownload } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { revokeVouchers } from '@wakestone/contract/sales/vouchers-routes'
import type { Voucher, VoucherGroup } from '@wakestone/contract/sales/voucher'
import { api } from '#app/api/client.ts'
import { answersOf, makeStale } from '#app/api/query-of.ts'
import { listVoucherGroups, listVouchersOfGroup } from '@wakestone/contract/sales/vouchers-routes'
import { vouchersOfGroupQuery } from '#app/features/vouchers/voucher-queries.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorNote, ErrorState } from '#app/ui/error-state.tsx'
import { Modal } from '#app/ui/modal.tsx'
import { SkeletonText } from '#app/ui/skeleton.tsx'
import { useConfirming } from '#app/ui/use-confirming.ts'
import classes from './create-voucher.module.css'
import { saveCodes } from './save-codes.ts'

const isOpen = ({ uses_left, revoked_at }: Voucher) => uses_left > 0 && revoked_at === null

/** The codes of one making: what is left of each, to save, and to take back. */
export function BatchDialog({
  group,
  title,
  onClose,
}: {
  group: VoucherGroup | null
  title: string
  onClose: () => void
}) {
  return (
    <Modal opened={group !== null} onClose={onClose} title={title}>
      {group !== null && <Codes group={group} />}
    </Modal>
  )
}

function Codes({ group }: { group: VoucherGroup }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { data, error, refetch } = useQuery(vouchersOfGroupQuery(group.id))
  /** What is asked about before it is taken back: one code, or all of them. */
  const [asked, setAsked] = useState<readonly Voucher[] | null>(null)
  const revoking = useConfirming(
    async () => {
      const one = asked?.length === 1 ? asked.map(({ id }) => id) : undefined
      await api(revokeVouchers, { params: { id: group.id }, body: one === undefined ? {} : { voucher_ids: one } })
      await makeStale(queries, answersOf(listVoucherGroups), answersOf(listVouchersOfGroup))
    },
    () => setAsked(null),
  )
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonText lines={5} />
  const { vouchers } = data
  const open = vouchers.filter(isOpen)
  return (
    <div className={classes['step']}>
      {asked === null ? (
        <>
          <ul className={classes['batch']} aria-label={t('makeVouchers.codes')} tabIndex={0}>
            {vouchers.map((voucher) => (
              <Code key={voucher.id} voucher={voucher} onRevoke={() => setAsked([voucher])} />
            ))}
          </ul>
          <div className={classes['actions']}>
            <Button icon={<IconDownload size={18} aria-hidden="true" />} onClick={() => saveCodes(vouchers)}>
              {t('makeVouchers.save')}
            </Button>
            <Button
              look="danger"
              why={open.length === 0 ? t('makeVouchers.nothingLeft') : undefined}
              onClick={() => setAsked(open)}
            >
              {t('makeVouchers.revokeAll')}
            </Button>
          </div>
        </>
      ) : (
        <>
          <p role="status">
            {asked.length === 1
              ? t('makeVouchers.revokeOne', { code: asked[0]?.code ?? '' })
              : t('makeVouchers.revokeText', { count: asked.length })}
          </p>
          {revoking.error !== undefined && <ErrorNote error={revoking.error} />}
          <div className={classes['actions']}>
            <Button onClick={revoking.close}>{t('common.cancel')}</Button>
            <Button look="danger" loading={revoking.isBusy} onClick={() => void revoking.confirm()}>
              {t('makeVouchers.revoke')}
            </Button>
          </div>
        </>
      )}
    </div>
  )
}

function Code({ voucher, onRevoke }: { voucher: Voucher; onRevoke: () => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { code, uses, uses_left, revoked_at } = voucher
  return (
    <li>
      <span className={classes['name']}>
        <span className="mono">{code}</span>
        <span className={classes['muted']}>
          {t('makeVouchers.codeUsed', { used: format.number(uses - uses_left), uses: format.number(uses) })}
        </span>
      </span>
      {revoked_at !== null ? (
        <span className={classes['muted']}>{t('makeVouchers.revokedOn', { date: format.dateTime(revoked_at) })}</span>
      ) : (
        uses_left > 0 && (
          <Button size="small" onClick={onRevoke} aria-label={t('makeVouchers.revokeCode', { code })}>
            {t('makeVouchers.revoke')}
          </Button>
        )
      )}
    </li>
  )
}
