import type { Language } from '@wakestone/contract/primitives'

/** Pictures of the panel, made from docs/screens by `build-steps/panel-pictures.ts`. */
const files = import.meta.glob<string>('./pictures/*', { eager: true, query: '?url', import: 'default' })
const file = (name: string) => files[`./pictures/${name}`] ?? ''

function picture(name: string, { width, height, widths, sizes }: Size) {
  const filesOf = (language: Language, theme: 'dark' | 'light') => ({
    avif: widths.map((each) => `${file(`${name}-${language}-${theme}-${each}.avif`)} ${each}w`).join(', '),
    webp: file(`${name}-${language}-${theme}.webp`),
  })
  return { width, height, sizes, filesOf }
}
type Size = { width: number; height: number; widths: readonly number[]; sizes: string }

export const panelPictures = {
  server: picture('server', {
    width: 1212,
    height: 900,
    widths: [720, 1212],
    sizes: '(max-width: 760px) calc(100vw - 42px), (max-width: 1164px) calc(100vw - 318px), 846px',
  }),
  phone: picture('phone', { width: 390, height: 1720, widths: [390], sizes: '252px' }),
  create: picture('create', {
    width: 1212,
    height: 960,
    widths: [720, 1212],
    sizes: '(max-width: 760px) calc(100vw - 42px), (max-width: 1164px) calc(100vw - 318px), 846px',
  }),
}
