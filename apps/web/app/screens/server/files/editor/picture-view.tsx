import { useQuery } from '@tanstack/react-query'
import { fileContent } from '@wakestone/contract/servers/files-transports'
import { useState } from 'react'
import { transportQuery } from '#app/api/query-of.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { ErrorState } from '#app/ui/error-state.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { readContent } from '../file-content.ts'
import { extensionOf, nameOf } from '../paths.ts'
import { useFiles } from '../use-files.ts'
import classes from './editor.module.css'
import { OtherFile } from './other-file.tsx'

const types: Readonly<Record<string, string>> = { jpg: 'jpeg', ico: 'x-icon' }

/** As a data address, which our content security policy lets pictures have: a customer's bytes are no page of ours. */
async function readPicture(serverId: string, path: string): Promise<{ address: string; bytes: number }> {
  const { bytes } = await readContent(serverId, path)
  const extension = extensionOf(path)
  const blob = new Blob([bytes], { type: `image/${types[extension] ?? extension}` })
  const address = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(String(reader.result)))
    reader.addEventListener('error', () => reject(reader.error ?? new Error('FileReader')))
    reader.readAsDataURL(blob)
  })
  return { address, bytes: bytes.length }
}

export function PictureView({ path, revision }: { path: string; revision: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { serverId } = useFiles()
  const { data, error, refetch } = useQuery(
    transportQuery(
      fileContent,
      { params: { id: serverId }, query: { path, revision } },
      { read: () => readPicture(serverId, path), staleTime: Infinity, gcTime: 60_000 },
    ),
  )
  const [size, setSize] = useState<{ width: number; height: number } | null>(null)
  const [isBroken, setBroken] = useState(false)
  if (isBroken) return <OtherFile path={path} />
  if (data === undefined)
    return error === null ? <Skeleton height="56vh" /> : <ErrorState error={error} onRetry={() => void refetch()} />
  return (
    <div className={classes['picture']}>
      <div>
        <img
          src={data.address}
          alt={nameOf(path)}
          onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => setSize({ width, height })}
          onError={() => setBroken(true)}
        />
      </div>
      <p className={classes['status']}>
        {size !== null && t('files.editor.pixels', { width: size.width, height: size.height })}
        <span>{format.bytes(data.bytes)}</span>
      </p>
    </div>
  )
}
