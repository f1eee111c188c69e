const hues = [96, 140, 38, 210, 262, 18]

/** A colour and the lightness of 16 pixels, drawn from the name. */
function pixelsOf(name: string): { hue: number; pixels: number[] } {
  let state = 2166136261
  for (const character of name) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 16777619)
  const hue = hues[(state >>> 4) % hues.length] ?? 96
  const next = () => {
    state = Math.imul(state ^ (state >>> 15), 2246822519)
    state ^= state >>> 13
    return (state >>> 0) / 2 ** 32
  }
  const pixels = Array.from({ length: 16 }, () => 30 + Math.round(next() * 4) * 5)
  return { hue, pixels }
}

/** A small pixel picture that is always the same for the same name: a face for a server. */
export function NamePixels({ name, size }: { name: string; size: number }) {
  const { hue, pixels } = pixelsOf(name)
  return (
    <svg
      viewBox="0 0 4 4"
      width={size}
      height={size}
      shapeRendering="crispEdges"
      aria-hidden="true"
      style={{ borderRadius: 6, flex: 'none' }}
    >
      {pixels.map((light, index) => (
        <rect
          key={index}
          x={index % 4}
          y={Math.floor(index / 4)}
          width="1.02"
          height="1.02"
          fill={`hsl(${hue} 38% ${light}%)`}
        />
      ))}
    </svg>
  )
}
