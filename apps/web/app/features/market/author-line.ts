import type { Translate } from '#app/i18n/create-i18n.ts'

/** The author's public name. Account names are not shown. */
export const authorLine = (t: Translate, name: string): string =>
  name === '' ? t('market.unnamed') : t('market.by', { name })
