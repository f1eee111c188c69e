import { HydrationBoundary } from '@tanstack/react-query'
import { useState } from 'react'
import type { Voucher } from '@wakestone/contract/sales/voucher'
import { prefetch } from '#app/api/prefetch.ts'
import { adminFrame } from '#app/features/admin/admin-frame.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { clustersQuery, productsQuery } from '#app/features/servers/server-queries.ts'
import { requireCapability } from '#app/features/session/require-user.ts'
import type { FrameHandle } from '#app/features/shell/nav.ts'
import { voucherGroupsQuery } from '#app/features/vouchers/voucher-queries.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { webContext } from '#app/load-context.ts'
import { PageHeader } from '#app/ui/page-header.tsx'
import { readAfter } from '#app/ui/table-address.ts'
import type { Route } from './+types/create-voucher'
import classes from './create-voucher.module.css'
import { MadeVouchers } from './made-vouchers.tsx'
import { VoucherForm } from './voucher-form.tsx'
import { VoucherGroups } from './voucher-groups.tsx'

export const handle = { frame: adminFrame } satisfies FrameHandle

export async function loader({ request, context }: Route.LoaderArgs) {
  requireCapability(request, context, 'admin.vouchers.generate')
  const { api } = context.get(webContext)
  const after = readAfter(new URL(request.url).searchParams).at(-1)
  return { queries: await prefetch(voucherGroupsQuery(after, api), productsQuery(api), clustersQuery(api)) }
}

/** `/{lang}/admin/create-new-voucher`: what is made, what it gives, and what became of earlier ones. */
export default function CreateVoucher({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation()
  const [made, setMade] = useState<readonly Voucher[] | null>(null)
  return (
    <HydrationBoundary state={loaderData.queries}>
      <PageMeta page="createVoucher" />
      <PageHeader title={t('makeVouchers.title')} text={t('makeVouchers.text')} />
      <div className={classes['parts']}>
        {made === null ? (
          <VoucherForm onMade={setMade} />
        ) : (
          <MadeVouchers vouchers={made} onMore={() => setMade(null)} />
        )}
        <VoucherGroups />
      </div>
    </HydrationBoundary>
  )
}
