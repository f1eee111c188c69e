/** Vouchers and their uses as the contract shows them. */
import type { ShownVoucher, Voucher, VoucherData, VoucherGroup, VoucherUse } from '@wakestone/contract/sales/voucher'
import { DomainError } from '@wakestone/contract/errors'
import type { Handle } from '#src/db/client.ts'
import { selectBatches, selectUses } from './lists-repo.ts'
import { findVouchersOfBatch, type VoucherRow } from './repo.ts'

export function showVoucher(row: VoucherRow): Voucher {
  return {
    ...showToHolder(row),
    last_use_id: row.last_use_id,
    uses: row.uses,
    revoked_at: row.revoked_at?.toISOString() ?? null,
    data: row.data as VoucherData,
  }
}

/** Without what administrators noted. */
export function showToHolder(row: VoucherRow): ShownVoucher {
  return {
    id: row.id,
    code: row.code,
    created_at: row.created_at.toISOString(),
    expires: row.expires.toISOString(),
    group_id: row.group_id,
    uses_left: row.uses_left,
    per_user: row.per_user,
    data: row.data as VoucherData,
  }
}

type Page = { after?: string | undefined; limit: number }

/** What administrators have made, newest first. */
export async function listGroups(db: Handle, page: Page): Promise<{ data: VoucherGroup[]; count: number }> {
  const { rows, count } = await selectBatches(db, page)
  return {
    count,
    data: rows.map((row) => ({
      id: row.id,
      group_id: row.group_id,
      created_at: row.created_at.toISOString(),
      created_by: row.created_by === null ? null : { id: row.created_by, username: row.username },
      expires: row.expires.toISOString(),
      prefix: row.prefix,
      per_user: row.per_user,
      data: row.data as VoucherData,
      codes: row.codes,
      uses: row.uses ?? 0,
      used: row.used ?? 0,
      revoked: row.revoked ?? 0,
      last_used_at: row.last_used_at?.toISOString() ?? null,
    })),
  }
}

/** @throws DomainError `voucher_not_found` where nothing was made under this id. */
export async function listVouchersOfGroup(db: Handle, batchId: string): Promise<Voucher[]> {
  const rows = await findVouchersOfBatch(db, batchId)
  if (rows.length === 0) throw new DomainError('voucher_not_found', { resource: 'voucher' })
  return rows.map(showVoucher)
}

/** What a user has redeemed, newest first. */
export async function listUses(db: Handle, userId: string, page: Page): Promise<{ data: VoucherUse[]; count: number }> {
  const { rows, count } = await selectUses(db, userId, page)
  return {
    count,
    data: rows.map((row) => ({
      id: row.id,
      ts: row.ts.toISOString(),
      user_id: row.user_id,
      voucher_id: row.voucher_id,
      details: row.details as Record<string, unknown>,
      voucher: { group_id: row.group_id, created_at: row.created_at.toISOString() },
    })),
  }
}
