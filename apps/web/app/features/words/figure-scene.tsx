import { PixelFigure } from '#app/ui/pixel-figure.tsx'
import classes from './figure-scene.module.css'

/** Creatures of the night around one lantern. */
export function FigureScene() {
  return (
    <div className={classes['scene']} aria-hidden="true">
      <PixelFigure name="moth" pixel={4} />
      <div className={classes['ground']}>
        <PixelFigure name="owl" pixel={8} />
        <div className={classes['light']}>
          <PixelFigure name="lantern" pixel={9} />
        </div>
        <PixelFigure name="cat" pixel={8} />
      </div>
    </div>
  )
}
