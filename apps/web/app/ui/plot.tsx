import 'uplot/dist/uPlot.min.css'
import { useEffect, useRef } from 'react'
import type uPlot from 'uplot'

export type PlotColour = 'lantern' | 'dusk' | 'moss' | 'ember' | 'muted'
/** Times in seconds since 1970, rising, then columns of values; null = unknown at that time. */
export type PlotData = readonly (readonly (number | null)[])[]

/** The token in which a line of a colour is drawn: lantern itself is too pale for one on white. */
export const lineToken = (colour: PlotColour) => (colour === 'lantern' ? 'lantern-line' : colour)

/** A colour of the tokens as it is in the present theme: a canvas knows no style sheets. */
export function readToken(box: HTMLElement, name: string): string {
  return getComputedStyle(box).getPropertyValue(`--${name}`).trim()
}

/**
 * A uPlot in its box: brought when it is first needed, as large as the box, drawn anew in the other theme. Only the
 * picture: whoever shows it says in words what it tells. `data` is drawn anew when `version` is another, so that it
 * may change in place; another `makeOptions` makes the whole picture anew.
 */
export function Plot({
  data,
  version,
  makeOptions,
  className,
}: {
  data: PlotData
  version: unknown
  makeOptions: (box: HTMLElement) => Omit<uPlot.Options, 'width' | 'height'>
  className: string
}) {
  const boxRef = useRef<HTMLDivElement>(null)
  const plotRef = useRef<uPlot | null>(null)
  const latest = useRef(data)
  latest.current = data

  useEffect(() => {
    const box = boxRef.current
    if (box === null) return
    let isGone = false
    let UPlot: typeof uPlot | null = null
    const draw = () => {
      if (UPlot === null || isGone) return
      plotRef.current?.destroy()
      const options = { ...makeOptions(box), width: box.clientWidth, height: box.clientHeight }
      plotRef.current = new UPlot(options, latest.current as uPlot.AlignedData, box)
    }
    void import('uplot').then((module) => {
      UPlot = module.default
      draw()
    })
    const size = new ResizeObserver(() =>
      plotRef.current?.setSize({ width: box.clientWidth, height: box.clientHeight }),
    )
    size.observe(box)
    const theme = new MutationObserver(draw)
    theme.observe(document.documentElement, { attributeFilter: ['data-mantine-color-scheme'] })
    return () => {
      isGone = true
      size.disconnect()
      theme.disconnect()
      plotRef.current?.destroy()
      plotRef.current = null
    }
  }, [makeOptions])

  useEffect(() => {
    plotRef.current?.setData(latest.current as uPlot.AlignedData)
  }, [version])

  return <div ref={boxRef} className={className} aria-hidden="true" />
}
