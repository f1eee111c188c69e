import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import satori from 'satori'
import sharp from 'sharp'
import scene from '#app/screens/home/scene.svg?raw'
import { socialImageSize } from '#app/features/page-meta/social-image.ts'

const require = createRequire(import.meta.url)
const files = [
  { weight: 400, file: require.resolve('@fontsource/inter/files/inter-latin-400-normal.woff') },
  { weight: 400, file: require.resolve('@fontsource/inter/files/inter-latin-ext-400-normal.woff') },
  { weight: 700, file: require.resolve('@fontsource/inter/files/inter-latin-700-normal.woff') },
  { weight: 700, file: require.resolve('@fontsource/inter/files/inter-latin-ext-700-normal.woff') },
] as const
// Letters are looked for in each face in turn: the second of a weight has what Polish adds.
const fonts = Promise.all(
  files.map(async ({ weight, file }, index) => ({
    name: index % 2 === 0 ? 'Inter' : 'Inter Ext',
    weight,
    data: await readFile(file),
  })),
)

const stars = [
  [612, 66, 4],
  [676, 152, 3],
  [742, 48, 3],
  [806, 118, 4],
  [868, 40, 3],
  [928, 90, 3],
  [996, 54, 4],
  [1150, 210, 4],
  [1110, 150, 3],
  [1166, 60, 3],
  [1160, 330, 3],
] as const

/** A page's card as a PNG: title and text beside the lantern-lit island. */
export async function drawSocialCard({
  title,
  text,
  host,
}: {
  title: string
  text: string
  host: string
}): Promise<Buffer<ArrayBuffer>> {
  const svg = await satori(<Card title={title} text={text} host={host} />, { ...socialImageSize, fonts: await fonts })
  const png = await sharp(Buffer.from(svg)).png({ compressionLevel: 9, palette: true, quality: 90 }).toBuffer()
  return Buffer.from(png)
}

function Card({ title, text, host }: { title: string; text: string; host: string }) {
  return (
    <div
      style={{
        display: 'flex',
        width: '100%',
        height: '100%',
        position: 'relative',
        background: '#0e1116',
        color: '#e8ebef',
        fontFamily: 'Inter, Inter Ext',
      }}
    >
      {stars.map(([left, top, size]) => (
        <div
          key={`${left}-${top}`}
          style={{ position: 'absolute', left, top, width: size, height: size, background: '#97a3b2' }}
        />
      ))}
      <svg style={{ position: 'absolute', left: 1046, top: 72 }} width="74" height="74" viewBox="80 3 14 14">
        <path fill="#f3ead2" d="M86 5.4a5.6 5.6 0 1 0 5.9 8.4A4.9 4.9 0 0 1 86 5.4Z" />
      </svg>
      <img
        src={`data:image/svg+xml;base64,${Buffer.from(scene).toString('base64')}`}
        width={560}
        height={499}
        alt=""
        style={{ position: 'absolute', left: 640, top: 104 }}
      />
      <div
        style={{
          display: 'flex',
          flexDirection: 'column',
          justifyContent: 'space-between',
          width: 636,
          height: '100%',
          boxSizing: 'border-box',
          padding: '64px 0 60px 72px',
        }}
      >
        <div style={{ display: 'flex', alignItems: 'center', gap: 14, marginLeft: -8 }}>
          <svg viewBox="0 0 24 24" width="46" height="46" fill="none">
            <path d="M8.6 8.2V6.4a3.4 3.4 0 0 1 6.8 0v1.8" stroke="#e8ebef" strokeWidth="1.9" strokeLinecap="round" />
            <path
              d="M7.1 8.2h9.8l1.7 11.2a1.4 1.4 0 0 1-1.4 1.6H6.8a1.4 1.4 0 0 1-1.4-1.6Z"
              stroke="#e8ebef"
              strokeWidth="1.9"
              strokeLinejoin="round"
            />
            <rect x="9.6" y="11.4" width="4.8" height="6.2" rx="1.4" fill="#f5b942" />
          </svg>
          <div style={{ fontSize: 34, fontWeight: 700, letterSpacing: -0.6 }}>Wakestone</div>
        </div>
        <div style={{ display: 'flex', flexDirection: 'column', gap: 22 }}>
          <div
            style={{
              fontSize: sizeOf(title),
              fontWeight: 700,
              letterSpacing: -1.8,
              lineHeight: 1.1,
              textWrap: 'balance',
            }}
          >
            {title}
          </div>
          <div style={{ fontSize: 25, lineHeight: 1.4, color: '#97a3b2', lineClamp: 4, display: 'block' }}>{text}</div>
        </div>
        <div style={{ display: 'flex', alignItems: 'center', gap: 14, fontSize: 24, color: '#f5b942' }}>
          <div style={{ width: 14, height: 14, borderRadius: 4, background: '#f5b942' }} />
          {host}
        </div>
      </div>
    </div>
  )
}

/** The longer the title, the smaller its letters: it takes three lines at most. */
function sizeOf(title: string): number {
  if (title.length <= 22) return 66
  return title.length <= 44 ? 54 : 46
}
