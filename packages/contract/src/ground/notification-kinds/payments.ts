/** What tells of money: payments, refunds, bills, what is earned. */
import { everywhere, server, type KindSpec } from './kind.ts'

export const paymentKinds = {
  SUCCESSFUL_PAYMENT: {
    group: 'payments',
    importance: 'normal',
    fields: { amount: 'money' },
    /** By what it was paid. */
    optional: { provider: 'word' },
    channels: everywhere,
    action: 'open_wallet',
  },
  /** Put into the wallet by hand; the reason is what an administrator wrote to its owner. */
  SUPPORT_CREDIT: {
    group: 'payments',
    importance: 'normal',
    fields: { amount: 'money', reason: 'text' },
    channels: everywhere,
    action: 'open_account',
  },
  FAILED_PAYMENT: {
    group: 'payments',
    importance: 'high',
    fields: { amount: 'money' },
    optional: { provider: 'word' },
    channels: everywhere,
    action: 'open_wallet',
  },
  WITHDRAWAL_CONFIRMED: {
    group: 'payments',
    importance: 'high',
    fields: { product: 'product', amount: 'money', at: 'time' },
    optional: { server: 'text', deleted_at: 'time' },
    channels: everywhere,
    fixed: ['mail'],
    action: 'open_account',
  },
  RENEWAL_WITHDRAWN: {
    group: 'payments',
    importance: 'high',
    fields: { product: 'product', amount: 'money', at: 'time', until: 'time' },
    channels: everywhere,
    fixed: ['mail'],
    action: 'open_account',
  },
  CHANGE_WITHDRAWN: {
    group: 'payments',
    importance: 'high',
    fields: { product: 'product', amount: 'money', at: 'time' },
    channels: everywhere,
    fixed: ['mail'],
    action: 'open_account',
  },
  /** A VAT id was confirmed after a sale: its VAT has gone back to the wallet. */
  TAX_CORRECTED: {
    group: 'payments',
    importance: 'normal',
    fields: { amount: 'money' },
    channels: everywhere,
    action: 'open_account',
  },
  /** What is to renew itself in some days would lack funds as things are. */
  AUTO_RENEW_WARNING: {
    group: 'payments',
    importance: 'high',
    fields: { ...server, days: 'days', amount: 'money', expires: 'time' },
    channels: everywhere,
    fixed: ['panel', 'mail'],
    action: 'open_account',
  },
  AUTO_RENEW_FAILED: {
    group: 'payments',
    importance: 'high',
    fields: { ...server, amount: 'money', expires: 'time' },
    channels: everywhere,
    fixed: ['panel', 'mail'],
    action: 'open_account',
  },
  /** A payment provider and our books do not say the same of a day. */
  PAYMENTS_DIFFER: {
    group: 'payments',
    importance: 'high',
    fields: { provider: 'text', day: 'text', differences: 'number' },
    channels: ['panel', 'mail'],
    fixed: ['panel', 'mail'],
    forAdministrators: true,
    action: 'open_reconciliation',
  },
  /** A top-up, or a part of it, has gone back to its payer. */
  PAYMENT_REFUNDED: {
    group: 'payments',
    importance: 'normal',
    fields: { amount: 'money', provider: 'text', reason: 'text' },
    channels: everywhere,
    fixed: ['panel', 'mail'],
    action: 'open_account',
  },
  /** To who sold something: its buyer has their money back. */
  SALE_REFUNDED: {
    group: 'payments',
    importance: 'normal',
    fields: { amount: 'money', provider: 'text', reason: 'text' },
    channels: everywhere,
    action: 'open_account',
  },
  /** It could not, and is in the wallet again. */
  REFUND_FAILED: {
    group: 'payments',
    importance: 'high',
    fields: { amount: 'money', provider: 'text' },
    channels: everywhere,
    fixed: ['panel', 'mail'],
    action: 'write_to_us',
  },
  PAYMENT_TAKEN_BACK: {
    group: 'payments',
    importance: 'high',
    fields: { amount: 'money', owed: 'money', provider: 'text' },
    channels: everywhere,
    fixed: ['panel', 'mail'],
    action: 'open_account',
  },
  PAYMENT_RETURNED: {
    group: 'payments',
    importance: 'normal',
    fields: { amount: 'money', provider: 'text' },
    channels: everywhere,
    fixed: ['panel', 'mail'],
    action: 'open_account',
  },
  /** The same order was paid twice; both payments are in the wallet. */
  SECOND_PAYMENT: {
    group: 'payments',
    importance: 'high',
    fields: { amount: 'money' },
    optional: { provider: 'word' },
    channels: everywhere,
    fixed: ['panel', 'mail'],
    action: 'write_to_us',
  },
  /** For administrators: money left past us. */
  MONEY_TAKEN_BACK: {
    group: 'payments',
    importance: 'high',
    fields: { username: 'text', amount: 'money', owed: 'money', provider: 'text', reason: 'text' },
    channels: ['panel', 'mail'],
    fixed: ['panel', 'mail'],
    forAdministrators: true,
    action: 'open_payment_returns',
  },
  /** For administrators: a refund failed, or its provider does not say what became of it. */
  REFUND_TROUBLE: {
    group: 'payments',
    importance: 'high',
    fields: { username: 'text', amount: 'money', provider: 'text', reason: 'text' },
    channels: ['panel', 'mail'],
    fixed: ['panel', 'mail'],
    forAdministrators: true,
    action: 'open_payment_returns',
  },
  COMMISSION_AVAILABLE: {
    group: 'payments',
    importance: 'normal',
    fields: { amount: 'money' },
    channels: everywhere,
    action: 'open_affiliate',
  },
  /** A player has bought something in the shop of one of the reader's servers. */
  SHOP_SALE: {
    group: 'payments',
    importance: 'normal',
    fields: { ...server, item: 'text', quantity: 'number', player: 'text', amount: 'money' },
    channels: everywhere,
    action: 'open_shop_orders',
  },
  BILL_DUE: {
    group: 'payments',
    importance: 'high',
    fields: { amount: 'money', days: 'days', due: 'time' },
    channels: everywhere,
    fixed: ['panel', 'mail'],
    action: 'open_bills',
  },
  BILL_OVERDUE: {
    group: 'payments',
    importance: 'high',
    fields: { amount: 'money', server: 'text' },
    channels: everywhere,
    fixed: ['panel', 'mail'],
    action: 'open_bills',
  },
  BILL_PAID: {
    group: 'payments',
    importance: 'normal',
    fields: { amount: 'money', server: 'text' },
    channels: everywhere,
    action: 'open_bills',
  },
} as const satisfies Record<string, KindSpec>
