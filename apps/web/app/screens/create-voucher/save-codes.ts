import type { Voucher } from '@wakestone/contract/sales/voucher'
import { toCsv } from './voucher-draft.ts'

/** Has the browser save codes as a file for spreadsheets. */
export function saveCodes(vouchers: readonly Voucher[]): void {
  const address = URL.createObjectURL(new Blob([toCsv(vouchers)], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = address
  link.download = `vouchers-${vouchers[0]?.group_id ?? vouchers[0]?.created_at.slice(0, 10) ?? 'none'}.csv`
  link.click()
  URL.revokeObjectURL(address)
}
