import type { PublicItem } from '@wakestone/contract/sales/shop'
import type { CSSProperties } from 'react'
import { PixelFigure } from '#app/ui/pixel-figure.tsx'
import classes from './item-picture.module.css'

/** The picture that an owner gave to an item; else a chest on a ground of its own colour. */
export function ItemPicture({
  item: { name, picture },
  isLarge = false,
}: {
  item: Pick<PublicItem, 'name' | 'picture'>
  isLarge?: boolean
}) {
  if (picture !== null)
    return (
      <img
        className={classes['picture']}
        src={picture}
        alt=""
        width={1280}
        height={720}
        loading={isLarge ? 'eager' : 'lazy'}
        decoding="async"
      />
    )
  const hue = Array.from(name).reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 360, 7)
  return (
    <span className={classes['picture']} style={{ '--hue': hue } as CSSProperties} aria-hidden="true">
      <PixelFigure name="chest" pixel={7} />
    </span>
  )
}
