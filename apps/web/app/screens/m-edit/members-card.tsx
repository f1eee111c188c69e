import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useRevalidator } from 'react-router'
import type { Project, ProjectMember } from '@wakestone/contract/marketplace/project'
import {
  addProjectMember,
  removeProjectMember,
  setProjectMember,
} from '@wakestone/contract/marketplace/projects-routes'
import { type ProjectRole, projectRoles } from '@wakestone/contract/marketplace/values'
import { api } from '#app/api/client.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import classes from './edit.module.css'

/** Who works on a project, and what each may do. Owners change it; others may leave. */
export function MembersCard({ project }: { project: Project }) {
  const { t } = useTranslation()
  const revalidator = useRevalidator()
  const user = useSignedInUser()
  const [username, setUsername] = useState('')
  const [role, setRole] = useState<ProjectRole>('editor')
  const [leaving, setLeaving] = useState<ProjectMember | null>(null)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const { slug, project_members: members } = project
  const isOwner = project.role === 'owner'
  const roles = projectRoles.map((one) => ({ value: one, label: t(`market.roles.${one}`) }))
  const run = async (work: () => Promise<unknown>) => {
    setBusy(true)
    setFailure(undefined)
    try {
      await work()
      await revalidator.revalidate()
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Card title={t('market.members')} beside={t('market.form.membersHint')}>
      <div className={classes['fields']}>
        <ul className={classes['members']}>
          {members.map((member) => (
            <li key={member.user_id}>
              <strong>{member.username}</strong>
              {isOwner ? (
                <NativeSelect
                  aria-label={t('market.form.roleOf', { name: member.username })}
                  value={member.role}
                  data={roles}
                  disabled={busy}
                  onChange={(event) => {
                    const wanted = event.currentTarget.value as ProjectRole
                    void run(() =>
                      api(setProjectMember, { params: { slug, userId: member.user_id }, body: { role: wanted } }),
                    )
                  }}
                />
              ) : (
                <span className={classes['muted']}>{t(`market.roles.${member.role}`)}</span>
              )}
              {(isOwner || member.user_id === user.id) && (
                <Button size="small" look="quiet" onClick={() => setLeaving(member)}>
                  {t(member.user_id === user.id ? 'market.form.leave' : 'market.form.remove')}
                </Button>
              )}
            </li>
          ))}
        </ul>
        {isOwner && (
          <form
            className={classes['row']}
            onSubmit={(event) => {
              event.preventDefault()
              void run(async () => {
                await api(addProjectMember, { params: { slug }, body: { username, role } })
                setUsername('')
              })
            }}
          >
            <TextInput
              label={t('market.form.memberName')}
              value={username}
              maxLength={64}
              autoComplete="off"
              onChange={(event) => setUsername(event.currentTarget.value)}
            />
            <NativeSelect
              label={t('market.form.memberRole')}
              description={t(`market.form.roleHints.${role}`)}
              value={role}
              data={roles}
              onChange={(event) => setRole(event.currentTarget.value as ProjectRole)}
            />
            <Button type="submit" loading={busy} why={username.trim() === '' ? t('fields.required') : undefined}>
              {t('market.form.addMember')}
            </Button>
          </form>
        )}
        {failure !== undefined && <ErrorNote error={failure} />}
      </div>
      {leaving !== null && (
        <ConfirmDialog
          opened
          onClose={() => setLeaving(null)}
          title={t('market.form.removeMemberTitle', { name: leaving.username })}
          text={t('market.form.removeMemberText')}
          action={t('market.form.remove')}
          onConfirm={async () => {
            await api(removeProjectMember, { params: { slug, userId: leaving.user_id } })
            await revalidator.revalidate()
          }}
        />
      )}
    </Card>
  )
}
