/** What happened while a figure was measured, drawn into its graph. */
import type { HistoryMarkKind } from '@wakestone/contract/servers/history'
import type uPlot from 'uplot'
import { type PlotColour, readToken } from '#app/ui/plot.tsx'

/** Seconds since 1970. */
export type Mark = { at: number; kind: HistoryMarkKind; player: string | null }

export const markColours: Record<HistoryMarkKind, PlotColour> = {
  start: 'moss',
  stop: 'muted',
  crash: 'ember',
  join: 'moss',
  leave: 'muted',
}
export const isOfPlayer = ({ kind }: Pick<Mark, 'kind'>) => kind === 'join' || kind === 'leave'

/** The game's own are lines from top to bottom; comings and goings are short ones at the foot. */
export function drawMarks({ ctx, bbox, valToPos }: uPlot, marks: readonly Mark[], box: HTMLElement): void {
  const pixel = devicePixelRatio || 1
  ctx.save()
  ctx.lineWidth = pixel
  for (const mark of marks) {
    const left = Math.round(valToPos(mark.at, 'x', true)) + 0.5
    if (left < bbox.left || left > bbox.left + bbox.width) continue
    const foot = bbox.top + bbox.height
    ctx.strokeStyle = readToken(box, markColours[mark.kind])
    ctx.fillStyle = ctx.strokeStyle
    ctx.beginPath()
    if (isOfPlayer(mark)) {
      ctx.lineWidth = 2 * pixel
      ctx.setLineDash([])
      ctx.moveTo(left, foot)
      ctx.lineTo(left, foot - 7 * pixel)
    } else {
      ctx.lineWidth = pixel
      ctx.setLineDash([3 * pixel, 3 * pixel])
      ctx.moveTo(left, bbox.top)
      ctx.lineTo(left, foot)
    }
    ctx.stroke()
    if (!isOfPlayer(mark)) drawHead(ctx, { left, top: bbox.top, size: 4 * pixel, kind: mark.kind })
  }
  ctx.restore()
}

/** A shape beside the colour: up for a start, a square for a stop, down for a crash. */
function drawHead(
  ctx: CanvasRenderingContext2D,
  { left, top, size, kind }: { left: number; top: number; size: number; kind: HistoryMarkKind },
): void {
  ctx.beginPath()
  if (kind === 'stop') ctx.rect(left - size, top, 2 * size, 2 * size)
  else {
    const [tip, base] = kind === 'start' ? [top, top + 2 * size] : [top + 2 * size, top]
    ctx.moveTo(left, tip)
    ctx.lineTo(left - size, base)
    ctx.lineTo(left + size, base)
    ctx.closePath()
  }
  ctx.fill()
}
