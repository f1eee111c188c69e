/**
 * Draws the island of the home page: `node build-steps/draw-scene.ts > app/screens/home/scene.svg`.
 * Blocks are lit by a lantern and two windows; faces that another block hides are left out.
 */
type Block = { x: number; y: number; z: number; colour: readonly [number, number, number]; glows?: boolean }

const grass = [92, 132, 54] as const
const dirt = [98, 66, 42] as const
const stone = [74, 78, 86] as const
const plank = [146, 98, 58] as const
const log = [88, 60, 38] as const
const roof = [132, 62, 48] as const
const leaf = [62, 112, 54] as const
const path = [168, 140, 88] as const
const pane = [255, 206, 96] as const
const brick = [62, 66, 74] as const

const blocks = new Map<string, Block>()
const key = (x: number, y: number, z: number) => `${x},${y},${z}`
const put = (x: number, y: number, z: number, colour: Block['colour'], glows = false) =>
  void blocks.set(key(x, y, z), { x, y, z, colour, glows })

// Three layers of ground, each with its corners bitten off.
const size = 11
const bitten = (x: number, y: number, bite: number) => {
  const near = (a: number, b: number) => a + b < bite
  return near(x, y) || near(size - 1 - x, y) || near(x, size - 1 - y) || near(size - 1 - x, size - 1 - y)
}
for (let x = 0; x < size; x++) {
  for (let y = 0; y < size; y++) {
    if (!bitten(x, y, 2)) put(x, y, 0, grass)
    if (!bitten(x, y, 3)) put(x, y, -1, dirt)
    if (x > 1 && y > 1 && x < size - 1 && y < size - 1 && !bitten(x, y, 6)) put(x, y, -2, stone)
  }
}
// The path from the door to the edge.
for (let y = 7; y < size; y++) put(4, y, 0, path)
for (const [x, y] of [
  [5, 9],
  [3, 8],
] as const)
  put(x, y, 0, path)

// The house: four by four, door and windows to the front, roof in steps.
for (let x = 3; x <= 6; x++) {
  for (let y = 3; y <= 6; y++) {
    for (let z = 1; z <= 3; z++) {
      const isCorner = (x === 3 || x === 6) && (y === 3 || y === 6)
      put(x, y, z, isCorner ? log : plank)
    }
  }
}
put(5, 6, 2, pane, true)
put(6, 4, 2, pane, true)
put(6, 5, 2, pane, true)
put(4, 6, 1, log)
put(4, 6, 2, log)
for (let x = 2; x <= 7; x++) for (let y = 2; y <= 7; y++) if (x > 2 || y > 2) put(x, y, 4, roof)
for (let x = 3; x <= 6; x++) for (let y = 3; y <= 6; y++) put(x, y, 5, roof)
for (let x = 4; x <= 5; x++) for (let y = 4; y <= 5; y++) put(x, y, 6, roof)
put(3, 5, 5, brick)
put(3, 5, 6, brick)
put(3, 5, 7, brick)

// A tree to the left.
for (let z = 1; z <= 2; z++) put(1, 7, z, log)
for (let x = 0; x <= 2; x++) for (let y = 6; y <= 8; y++) for (let z = 3; z <= 4; z++) put(x, y, z, leaf)
for (const [x, y] of [
  [1, 7],
  [1, 6],
  [0, 7],
  [2, 7],
  [1, 8],
] as const)
  put(x, y, 5, leaf)
// Flowers and a lantern on its post by the path.
put(7, 9, 1, log)
put(7, 9, 2, [255, 214, 110], true)

const lights = [
  { at: [7, 9, 2], reach: 7.2, power: 1.15 },
  { at: [5, 7.2, 2], reach: 4.4, power: 0.75 },
  { at: [7.2, 4.5, 2], reach: 4.4, power: 0.75 },
] as const

const half = 18
const height = 20
const place = (x: number, y: number, z: number) => [(x - y) * half, ((x + y) * half) / 2 - z * height] as const

// The same every time: a little unevenness per face instead of texture.
const grain = (x: number, y: number, z: number, side: number) => {
  const wave = Math.sin(x * 127.1 + y * 311.7 + z * 74.7 + side * 53.3) * 43758.5453
  return 0.93 + (wave - Math.floor(wave)) * 0.14
}

type Face = {
  normal: readonly [number, number, number]
  corners: readonly (readonly [number, number, number])[]
  ambient: number
}
const faces: Face[] = [
  {
    normal: [0, 0, 1],
    corners: [
      [0, 0, 1],
      [1, 0, 1],
      [1, 1, 1],
      [0, 1, 1],
    ],
    ambient: 0.64,
  },
  {
    normal: [0, 1, 0],
    corners: [
      [0, 1, 1],
      [1, 1, 1],
      [1, 1, 0],
      [0, 1, 0],
    ],
    ambient: 0.36,
  },
  {
    normal: [1, 0, 0],
    corners: [
      [1, 0, 1],
      [1, 1, 1],
      [1, 1, 0],
      [1, 0, 0],
    ],
    ambient: 0.47,
  },
]
// Night light is a little blue.
const night = [0.86, 0.97, 1.16] as const
const warm = [1.22, 0.94, 0.52] as const

function colourOf(block: Block, face: Face, side: number): string {
  const { x, y, z } = block
  if (block.glows) {
    const strength = [1, 0.93, 0.97][side] ?? 1
    return hex(block.colour.map((part) => part * strength))
  }
  const centre = [x + 0.5 + face.normal[0] / 2, y + 0.5 + face.normal[1] / 2, z + 0.5 + face.normal[2] / 2]
  let glow = 0
  for (const light of lights) {
    const to = light.at.map((part, index) => part + 0.5 - (centre[index] ?? 0))
    const distance = Math.hypot(...to)
    const facing = to.reduce((sum, part, index) => sum + part * (face.normal[index] ?? 0), 0) / Math.max(distance, 0.01)
    glow += light.power * Math.max(0, 1 - distance / light.reach) ** 1.6 * (0.3 + 0.7 * Math.max(0, facing))
  }
  const rough = grain(x, y, z, side)
  return hex(
    block.colour.map((part, index) => part * rough * (face.ambient * (night[index] ?? 1) + glow * (warm[index] ?? 1))),
  )
}

function hex(parts: readonly number[]): string {
  return `#${parts
    .map((part) =>
      Math.max(0, Math.min(255, Math.round(part)))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
}

const polygons: string[] = []
const xs: number[] = []
const ys: number[] = []
for (const block of [...blocks.values()].sort((a, b) => a.x + a.y + a.z - (b.x + b.y + b.z) || a.z - b.z)) {
  faces.forEach((face, side) => {
    if (blocks.has(key(block.x + face.normal[0], block.y + face.normal[1], block.z + face.normal[2]))) return
    const points = face.corners.map(([dx, dy, dz]) => place(block.x + dx, block.y + dy, block.z + dz))
    for (const [x, y] of points) {
      xs.push(x)
      ys.push(y)
    }
    const colour = colourOf(block, face, side)
    const [first = [0, 0], ...rest] = points
    let [px, py] = first
    const steps = rest.map(([x, y]) => {
      const step = `${x - (px ?? 0)} ${y - (py ?? 0)}`
      px = x
      py = y
      return step
    })
    polygons.push(`<path color="${colour}" d="M${first.join(' ')}l${steps.join(' ')}z"/>`)
  })
}
const margin = 46
const box = [
  Math.min(...xs) - margin,
  Math.min(...ys) - margin,
  Math.max(...xs) - Math.min(...xs) + 2 * margin,
  Math.max(...ys) - Math.min(...ys) + 2 * margin,
]
const [lanternX, lanternY] = place(7.5, 9.5, 2.5)
const [windowX, windowY] = place(6, 6, 2)
process.stdout.write(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box.join(' ')}" width="${box[2]}" height="${box[3]}" stroke-width=".6" stroke-linejoin="round">` +
    `<defs><radialGradient id="g"><stop offset="0" stop-color="#ffc85a" stop-opacity=".75"/><stop offset=".35" stop-color="#ffb53a" stop-opacity=".28"/><stop offset="1" stop-color="#ffb53a" stop-opacity="0"/></radialGradient></defs>` +
    `<g fill="currentColor" stroke="currentColor">${polygons.join('')}</g>` +
    `<circle cx="${windowX}" cy="${windowY}" r="70" fill="url(#g)" opacity=".45"/><circle cx="${lanternX}" cy="${lanternY}" r="86" fill="url(#g)"/></svg>\n`,
)
