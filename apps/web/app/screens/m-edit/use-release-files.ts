/** Files of a release on their way: hashed, announced, sent; how far all that is. */
import { useEffect, useRef, useState } from 'react'
import type { NewRelease } from '@wakestone/contract/marketplace/release'
import { hashFile } from './hash-file.ts'
import { sendFile } from './send-file.ts'

export type Sending = {
  step: 'hashing' | 'sending'
  /** What is handled now. */
  name: string
  done: number
  total: number
}
type HashedFile = { name: string; size: number; sha256: string }

export function useReleaseFiles() {
  const [sending, setSending] = useState<Sending | null>(null)
  const leaving = useRef(new AbortController())
  useEffect(() => {
    leaving.current = new AbortController()
    const { current } = leaving
    return () => current.abort()
  }, [])

  const hashAll = async (files: readonly File[]): Promise<HashedFile[]> => {
    const { signal } = leaving.current
    const hashed: HashedFile[] = []
    for (const file of files) {
      const { name, size } = file
      const onProgress = (done: number) => setSending({ step: 'hashing', name, done, total: size })
      onProgress(0)
      hashed.push({ name, size, sha256: await hashFile(file, { onProgress, signal }) })
    }
    return hashed
  }
  const sendAll = async (files: readonly File[], uploads: NewRelease['uploads']): Promise<void> => {
    const { signal } = leaving.current
    for (const { name, size, url, offset } of uploads) {
      const file = files.find((one) => one.name === name)
      if (file === undefined) throw new Error(`no file for ${name}`)
      const onProgress = (done: number) => setSending({ step: 'sending', name, done, total: size })
      await sendFile(file, { url, offset, onProgress, signal })
    }
  }
  return {
    sending,
    hashAll,
    sendAll,
    /** Whatever came of it. */
    end: () => setSending(null),
  }
}
