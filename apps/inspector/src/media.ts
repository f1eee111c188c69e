/** Pictures are drawn anew, so that nothing of what was sent is handed on but what can be seen; videos are looked at. */
import { copyFileSync, closeSync, openSync, readSync, statSync, writeFileSync } from 'node:fs'
import sharp from 'sharp'
import type { Inspection, InspectionWork, PictureKind } from '@wakestone/protocol/inspection'

sharp.cache(false)
sharp.concurrency(1)

const mostPixels = 25e6
const mostFrames = 120
const allPixels = 100e6
const sides: Record<Exclude<PictureKind, 'video'>, { width: number; height: number }> = {
  icon: { width: 512, height: 512 },
  thumbnail: { width: 1280, height: 720 },
  image: { width: 1920, height: 1920 },
}
const formats = new Set(['jpeg', 'png', 'webp', 'gif'])

export async function encodeMedia({ file, as, out }: Extract<InspectionWork, { kind: 'media' }>): Promise<Inspection> {
  if (as === 'video') return copyVideo(file, out)
  try {
    const {
      format,
      width,
      height,
      pages = 1,
    } = await sharp(file, {
      limitInputPixels: mostPixels,
      failOn: 'error',
      pages: 1,
    }).metadata()
    if (!formats.has(format)) return { kind: 'refused', why: 'format' }
    if (pages > mostFrames || width * height * pages > allPixels) return { kind: 'refused', why: 'size' }
    const { data, info } = await sharp(file, { animated: pages > 1, limitInputPixels: allPixels, failOn: 'error' })
      .autoOrient()
      .resize({ ...sides[as], fit: 'inside', withoutEnlargement: true })
      .timeout({ seconds: 20 })
      .webp({ quality: 82 })
      .toBuffer({ resolveWithObject: true })
    writeFileSync(out, data)
    return { kind: 'media', width: info.width, height: info.pageHeight ?? info.height, bytes: data.length }
  } catch (error) {
    return { kind: 'refused', why: /pixel limit/.test(String(error)) ? 'size' : 'damaged' }
  }
}

/** The beginning of EBML, and the kind of document that it says it is. */
function copyVideo(file: string, out: string): Inspection {
  const head = Buffer.alloc(64)
  const opened = openSync(file, 'r')
  const read = readSync(opened, head, 0, head.length, 0)
  closeSync(opened)
  const start = head.subarray(0, read)
  if (start.length < 40 || start.readUInt32BE(0) !== 0x1a45dfa3) return { kind: 'refused', why: 'format' }
  const kind = start.indexOf(Buffer.from([0x42, 0x82, 0x84]))
  if (kind < 0 || start.toString('latin1', kind + 3, kind + 7) !== 'webm') return { kind: 'refused', why: 'format' }
  copyFileSync(file, out)
  return { kind: 'media', width: null, height: null, bytes: statSync(out).size }
}
