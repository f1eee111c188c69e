/** Puts frames and captions together into one animated picture. */
import sharp from 'sharp'
import { type Caption, captionHeight } from './captions.ts'
import type { Frame } from './frames.ts'

/** Eight pictures a second are enough for a page. */
const stepMs = 125
/** Where nothing changes, nobody waits longer. */
const longestMs = 1_100
/** The last one stays, so that it can be read before all begins anew. */
const lastMs = 2_500

/** @returns the file's size and how long it plays */
export async function writeRecording(
  file: string,
  {
    frames,
    captions,
    size,
  }: {
    frames: readonly Frame[]
    captions: readonly Caption[]
    size: { width: number; height: number }
  },
): Promise<{ bytes: number; seconds: number }> {
  const begin = Math.max(frames[0]!.at, captions[0]!.at)
  const end = frames.at(-1)!.at
  const pictures: Buffer[] = []
  const delays: number[] = []
  let before: readonly [Frame, Caption] | undefined
  for (let at = begin; at <= end; at += stepMs) {
    const isThere = (one: { at: number }) => one.at <= at
    const frame = frames.findLast(isThere)!
    const caption = captions.findLast(isThere)!
    if (before?.[0] === frame && before[1] === caption) {
      delays[delays.length - 1]! += stepMs
      continue
    }
    before = [frame, caption]
    pictures.push(await compose(frame, caption, size))
    delays.push(stepMs)
  }
  const shown = delays.map((delay) => Math.min(delay, longestMs))
  shown[shown.length - 1] = lastMs
  const { size: bytes } = await sharp(pictures, { join: { animated: true } })
    .webp({ quality: 60, effort: 6, loop: 0, delay: shown, minSize: true, mixed: true })
    .toFile(file)
  return { bytes, seconds: shown.reduce((sum, delay) => sum + delay, 0) / 1000 }
}

/** Frames of a page in between sizes are brought to the one size. */
const compose = ({ png }: Frame, caption: Caption, { width, height }: { width: number; height: number }) =>
  sharp({ create: { width, height: height + captionHeight, channels: 3, background: '#0e1116' } })
    .composite([
      { input: png, top: 0, left: 0 },
      { input: caption.png, top: height, left: 0 },
    ])
    .png()
    .toBuffer()
