import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { type Macro, macroBody } from '@wakestone/contract/accounts/support'
import { changeMacro, createMacro, deleteMacro, listMacros } from '@wakestone/contract/accounts/support-routes'
import { languages, ticketLimits } from '@wakestone/contract/values'
import { api } from '#app/api/client.ts'
import { answersOf, makeStale } from '#app/api/query-of.ts'
import { macrosQuery } from '#app/features/support/ticket-queries.ts'
import classes from '#app/features/support/tickets.module.css'
import { useTranslation } from '#app/i18n/texts.tsx'
import { languageNames } from '#app/i18n/languages.ts'
import { Button } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorNote, ErrorState } from '#app/ui/error-state.tsx'
import { Modal } from '#app/ui/modal.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { errorBodyOf } from '#app/ui/error-text.ts'

type Draft = Omit<Macro, 'id'> & { id?: string }
const fresh: Draft = { name: '', texts: { en: '', pl: '', de: '' }, status: 'PENDING' }

/** Answers that are written often: the list, or the one that is changed. */
export function MacrosDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState<Draft>()
  const [deleting, setDeleting] = useState<Macro>()
  const queries = useQueryClient()
  const { data, error, refetch } = useQuery(macrosQuery())
  if (deleting !== undefined)
    return (
      <ConfirmDialog
        opened
        onClose={() => setDeleting(undefined)}
        title={t('desk.deleteMacroTitle', { name: deleting.name })}
        text={t('desk.deleteMacroText')}
        action={t('desk.deleteMacro')}
        onConfirm={async () => {
          await api(deleteMacro, { params: { id: deleting.id } })
          await makeStale(queries, answersOf(listMacros))
        }}
      />
    )
  if (draft !== undefined) return <MacroForm draft={draft} onClose={() => setDraft(undefined)} />
  return (
    <Modal opened onClose={onClose} title={t('desk.macros')}>
      {data === undefined ? (
        error === null ? (
          <Skeleton height={160} />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : data.length === 0 ? (
        <EmptyState figure="none" title={t('desk.noMacrosTitle')} text={t('desk.noMacrosText')} />
      ) : (
        <ul className={classes['macros']}>
          {data.map((macro) => (
            <li key={macro.id}>
              <span>{macro.name}</span>
              <Button size="small" onClick={() => setDraft(macro)}>
                {t('desk.editMacro')}
              </Button>
              <Button size="small" look="quiet" onClick={() => setDeleting(macro)}>
                {t('desk.deleteMacro')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div className={classes['buttons']}>
        <Button icon={<IconPlus />} onClick={() => setDraft(fresh)}>
          {t('desk.newMacro')}
        </Button>
      </div>
    </Modal>
  )
}

function MacroForm({ draft, onClose }: { draft: Draft; onClose: () => void }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [values, setValues] = useState(draft)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(undefined)
  const parsed = macroBody.safeParse(values)
  const save = async () => {
    if (!parsed.success) return
    setBusy(true)
    setFailure(undefined)
    try {
      if (draft.id === undefined) await api(createMacro, { body: parsed.data })
      else await api(changeMacro, { params: { id: draft.id }, body: parsed.data })
      await makeStale(queries, answersOf(listMacros))
      onClose()
    } catch (error) {
      setFailure(error)
      setBusy(false)
    }
  }
  const isTaken = errorBodyOf(failure)?.error === 'resource_already_exists'
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(draft.id === undefined ? 'desk.newMacro' : 'desk.editMacro')}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button
            look="primary"
            loading={busy}
            why={parsed.success ? undefined : t('desk.whyNoMacro')}
            onClick={() => void save()}
          >
            {t('desk.saveMacro')}
          </Button>
        </>
      }
    >
      <div className={classes['composer']}>
        <TextInput
          data-autofocus
          label={t('desk.macroName')}
          maxLength={80}
          value={values.name}
          error={isTaken ? t('desk.macroTaken') : undefined}
          onChange={(event) => setValues({ ...values, name: event.currentTarget.value })}
        />
        <p className={classes['hint']}>{t('desk.macroHint')}</p>
        {languages.map((language) => (
          <Textarea
            key={language}
            label={languageNames[language]}
            lang={language}
            autosize
            minRows={2}
            maxRows={8}
            maxLength={ticketLimits.answer}
            value={values.texts[language]}
            onChange={(event) =>
              setValues({ ...values, texts: { ...values.texts, [language]: event.currentTarget.value } })
            }
          />
        ))}
        <NativeSelect
          label={t('desk.afterwards')}
          value={values.status}
          data={(['PENDING', 'SOLVED'] as const).map((value) => ({ value, label: t(`desk.statuses.${value}`) }))}
          onChange={(event) => setValues({ ...values, status: event.currentTarget.value as Draft['status'] })}
        />
        {failure !== undefined && !isTaken && <ErrorNote error={failure} />}
      </div>
    </Modal>
  )
}
