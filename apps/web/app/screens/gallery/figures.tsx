import { Card } from '#app/ui/card.tsx'
import { Chart } from '#app/ui/chart.tsx'
import { CodeBlock } from '#app/ui/code-block.tsx'
import { ConsoleSurface } from '#app/ui/console-surface.tsx'
import { Specimen } from './specimen.tsx'

const begin = Date.parse('2026-11-20T15:00:00Z') / 1000
const times = Array.from({ length: 61 }, (_, index) => begin + index * 60)
const wave = (mean: number, sway: number, every: number) =>
  times.map((_, index) => mean + sway * Math.sin(index / every) + ((index * 7) % 5) * sway * 0.08)
const downloads = wave(220, 120, 9)
const uploads = wave(90, 40, 5).map((value, index) => (index > 24 && index < 32 ? null : value))
const perSecond = (value: number) => `${Math.round(value)} KiB/s`
const words = {
  network: 'Network',
  incoming: 'in',
  outgoing: 'out',
  nothing: 'Figures appear here a minute after the server has started.',
  file: 'server.properties',
  log: 'Last lines',
}
const series = [
  { name: words.incoming, colour: 'dusk', values: downloads },
  { name: words.outgoing, colour: 'lantern', values: uploads },
] as const
const properties = `# Minecraft server properties
motd=A Wakestone server
max-players=20
view-distance=10
level-name=world
resource-pack=https://example.test/a-rather-long-address/of-a-resource-pack/that-does-not-fit-into-one-line.zip
`
const lines = [
  '16:55:36 Starting minecraft server version 1.21.4',
  '16:55:37 Done (0.338s)! For help, type "help"',
  '16:58:02 java.lang.OutOfMemoryError: Java heap space',
  '16:58:02     at net.minecraft.world.level.chunk.LevelChunkSection.<init>(LevelChunkSection.java:57)',
]

export function Charts() {
  return (
    <>
      <Specimen name="two lines, one with a hole" wide>
        <Card>
          <Chart label={words.network} times={times} series={series} write={perSecond} emptyText={words.nothing} />
        </Card>
      </Specimen>
      <Specimen name="nothing yet" wide>
        <Card>
          <Chart
            label={words.network}
            times={[]}
            series={series.map((line) => ({ ...line, values: [] }))}
            write={perSecond}
            emptyText={words.nothing}
            height={160}
          />
        </Card>
      </Specimen>
    </>
  )
}

export function Code() {
  return (
    <>
      <Specimen name="code, read only" wide>
        <CodeBlock name={words.file} text={properties} />
      </Specimen>
      <Specimen name="code, more lines than shown" wide>
        <CodeBlock name={words.file} text={properties.repeat(4)} mostLines={6} />
      </Specimen>
      <Specimen name="lines of a console" wide>
        <ConsoleSurface label={words.log} lines={lines} />
      </Specimen>
    </>
  )
}
