import type { Translate } from '#app/i18n/create-i18n.ts'

/** Whom a project is by, as its author is called in public; an account's name is nobody's business. */
export const authorLine = (t: Translate, name: string): string =>
  name === '' ? t('market.unnamed') : t('market.by', { name })
