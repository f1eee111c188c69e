import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { Project } from '@wakestone/contract/marketplace/project'
import type { Release } from '@wakestone/contract/marketplace/release'
import { resumeRelease } from '@wakestone/contract/marketplace/releases-routes'
import { api } from '#app/api/client.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat, usePath } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import classes from './edit.module.css'
import { ReleaseFileDrop } from './release-file-drop.tsx'
import { SendingProgress } from './sending-progress.tsx'
import { useReleaseFiles } from './use-release-files.ts'

/** Files of a release that were cut off: chosen again, they go on from where they were. */
export function ResumeCard({ project, release }: { project: Project; release: Release }) {
  const { t } = useTranslation()
  const format = useFormat()
  const path = usePath()
  const navigate = useNavigate()
  const [files, setFiles] = useState<readonly File[]>([])
  const [problem, setProblem] = useState<string>()
  const [failure, setFailure] = useState<unknown>()
  const { sending, hashAll, sendAll, end } = useReleaseFiles()
  const params = { slug: project.slug, releaseId: release.id }
  const send = async () => {
    setProblem(undefined)
    setFailure(undefined)
    try {
      const { uploads } = await api(resumeRelease, { params })
      const lacking = uploads.filter(({ name, size }) => !files.some((one) => one.name === name && one.size === size))
      if (lacking.length > 0)
        return setProblem(t('market.form.stillMissing', { names: lacking.map(({ name }) => name).join(', ') }))
      const needed = files.filter((file) => uploads.some(({ name }) => name === file.name))
      const hashed = await hashAll(needed)
      const other = hashed.find(
        ({ name, sha256 }) => !release.artifacts.some((one) => one.name === name && one.hash === sha256),
      )
      if (other !== undefined) return setProblem(t('market.form.otherFile', { name: other.name }))
      await sendAll(needed, uploads)
      await navigate(`${path(`/m/${project.slug}`)}?tab=releases#${release.id}`)
    } catch (error) {
      setFailure(error)
    } finally {
      end()
    }
  }
  return (
    <Card title={t('market.form.resume')}>
      <div className={classes['fields']}>
        <p>{t('market.form.resumeText')}</p>
        <ul className={classes['members']}>
          {release.artifacts.map((file) => (
            <li key={file.id}>
              <strong>{file.name}</strong>
              <span className={classes['muted']}>{format.bytes(file.size)}</span>
            </li>
          ))}
        </ul>
        <ReleaseFileDrop files={files} busy={sending !== null} onChange={setFiles} />
        <SendingProgress sending={sending} />
        {problem !== undefined && (
          <p className={classes['problem']} role="alert">
            {problem}
          </p>
        )}
        {failure !== undefined && <ErrorNote error={failure} />}
        <div className={classes['actions']}>
          <Button
            look="primary"
            loading={sending !== null}
            why={files.length === 0 ? t('market.form.fileMissing') : undefined}
            onClick={() => void send()}
          >
            {t('market.form.resumeSend')}
          </Button>
        </div>
      </div>
    </Card>
  )
}
