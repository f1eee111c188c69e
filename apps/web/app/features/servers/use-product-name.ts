import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { planName } from './server-names.ts'

const gibibyte = 1024 ** 3

/** Names a product by its id, as people say it: an add-on by what it gives, a plan by its name. */
export function useProductName(): (id: string) => string {
  const { t } = useTranslation()
  const format = useFormat()
  return (id) => {
    const [, what, size] = /EXTRA_(MEMORY|STORAGE)_(\d+)G$/.exec(id) ?? []
    if (what === undefined) return planName(id)
    return t(what === 'MEMORY' ? 'plans.giftMemory' : 'plans.giftStorage', {
      size: format.bytes(Number(size) * gibibyte),
    })
  }
}
