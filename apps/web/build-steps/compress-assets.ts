/** Lays `.br` and `.gz` beside every text asset, so that the host never compresses on a request. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const isText = /\.(?:js|mjs|css|json|svg|txt|html|webmanifest|map)$/

/** Compresses what gains by it: text of 1 KiB and more. */
export async function compressAssets(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && isText.test(entry.name))
  for (const file of files) {
    const path = join(file.parentPath, file.name)
    const bytes = await readFile(path)
    if (bytes.length < 1024) continue
    const brotli = {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }
    await Promise.all([
      promisify(brotliCompress)(bytes, brotli).then((packed) => writeFile(`${path}.br`, packed)),
      promisify(gzip)(bytes, { level: 9 }).then((packed) => writeFile(`${path}.gz`, packed)),
    ])
  }
}
