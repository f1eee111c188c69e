import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { planName } from './server-names.ts'

const gibibyte = 1024 ** 3

/**
 * Names a product by its id, as people say it: an add-on by what it gives (and what it was given for, as in
 * `SPEEDRUN_PROMO_EXTRA_MEMORY_4G`), a plan by its name.
 */
export function useProductName(): (id: string) => string {
  const { t } = useTranslation()
  const format = useFormat()
  return (id) => {
    const ports = /^EXTRA_PORTS_(\d+)$/.exec(id)
    if (ports !== null) return t('plans.giftPorts', { count: Number(ports[1]) })
    if (id === 'BASIC_MAPVIEW') return t('plans.giftMap')
    if (id === 'BASIC_CRAFTUM') return t('plans.giftWebsite')
    const [, occasion, what, size] = /^(?:(\w+)_)?EXTRA_(MEMORY|STORAGE)_(\d+)G$/.exec(id) ?? []
    if (what === undefined) return planName(id)
    const gift = t(what === 'MEMORY' ? 'plans.giftMemory' : 'plans.giftStorage', {
      size: format.bytes(Number(size) * gibibyte),
    })
    return occasion === undefined ? gift : `${planName(occasion)}: ${gift}`
  }
}
