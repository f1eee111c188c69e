import { useTranslation } from '#app/i18n/texts.tsx'

const known = ['overworld', 'the_nether', 'the_end'] as const

/** The game's own dimensions in words; others, of data packs and mods, by the name that they have. With `minecraft:` or without. */
export function useDimensionName(): (name: string) => string {
  const { t } = useTranslation()
  return (name) => {
    const own = known.find((one) => one === name || `minecraft:${one}` === name)
    return own === undefined ? name : t(`worlds.dimension.${own}`)
  }
}
