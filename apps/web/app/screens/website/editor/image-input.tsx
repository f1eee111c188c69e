import { useMutation, useQueryClient } from '@tanstack/react-query'
import { IconPhoto, IconTrash, IconUpload } from '@tabler/icons-react'
import { useId, useRef, useState } from 'react'
import { z } from 'zod'
import { websiteLimits } from '@wakestone/contract/websites/content'
import { addCraftumImages, deleteCraftumImage, listCraftumImages } from '@wakestone/contract/websites/craftums-routes'
import { type WebsiteImage, websiteImageSchema } from '@wakestone/contract/websites/website'
import { api } from '#app/api/client.ts'
import { answersOf, makeStale } from '#app/api/query-of.ts'
import { sendWithFiles } from '#app/api/send-with-files.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { Modal } from '#app/ui/modal.tsx'
import classes from './image-input.module.css'
import { useImages } from './images.ts'

const kinds = 'image/png,image/jpeg,image/webp,image/gif'

/** The picture of a field: one of the website's, or a new one. */
export function ImageInput({
  label,
  value,
  onChange,
}: {
  label: string
  value: string
  onChange: (name: string) => void
}) {
  const { t } = useTranslation()
  const { all } = useImages()
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const found = all.find(({ name }) => name === value)
  return (
    <div className={classes['field']} role="group" aria-labelledby={id}>
      <span id={id} className={classes['label']}>
        {label}
      </span>
      {found !== undefined && <img className={classes['chosen']} src={found.url} alt={t('websites.chosenPicture')} />}
      {value !== '' && found === undefined && <p className={classes['muted']}>{t('websites.pictureIsGone')}</p>}
      <span className={classes['tools']}>
        <Button size="small" icon={<IconPhoto size={16} />} onClick={() => setOpen(true)}>
          {value === '' ? t('websites.choosePicture') : t('websites.otherPicture')}
        </Button>
        {value !== '' && (
          <Button size="small" look="quiet" onClick={() => onChange('')}>
            {t('websites.noPicture')}
          </Button>
        )}
      </span>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={t('websites.pictures')}>
        <Choice
          value={value}
          onChoose={(name) => {
            onChange(name)
            setOpen(false)
          }}
        />
      </Modal>
    </div>
  )
}

function Choice({ value, onChoose }: { value: string; onChoose: (name: string) => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const queries = useQueryClient()
  const { websiteId, all } = useImages()
  const input = useRef<HTMLInputElement>(null)
  const [removed, setRemoved] = useState<WebsiteImage | null>(null)
  const params = { id: websiteId }
  const refresh = () => makeStale(queries, answersOf(listCraftumImages, params))
  const add = useMutation({
    mutationFn: (files: readonly File[]) =>
      sendWithFiles(addCraftumImages, {
        params,
        body: {},
        files: files.map((file) => ['image', file] as const),
        answer: z.array(websiteImageSchema),
      }),
    onSuccess: async (made) => {
      await refresh()
      // Who sends one means it.
      if (made.length === 1 && made[0] !== undefined) onChoose(made[0].name)
    },
  })
  return (
    <div className={classes['choice']}>
      <p className={classes['muted']}>
        {t('websites.pictureHint', { size: format.bytes(websiteLimits.imageBytes), most: websiteLimits.images })}
      </p>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={kinds}
        aria-label={t('websites.uploadPictures')}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])]
          currentTarget.value = ''
          if (files.length > 0) add.mutate(files)
        }}
      />
      <Button
        look="primary"
        icon={<IconUpload size={16} />}
        loading={add.isPending}
        data-autofocus
        onClick={() => input.current?.click()}
      >
        {t('websites.uploadPictures')}
      </Button>
      {add.error !== null && <ErrorNote error={add.error} title={t('websites.uploadFailed')} />}
      {all.length === 0 ? (
        <p>{t('websites.noPictures')}</p>
      ) : (
        <ul className={classes['all']}>
          {all.map((image, index) => {
            const name = t('websites.pictureNumber', { number: index + 1 })
            return (
              <li key={image.name}>
                <button
                  type="button"
                  className={classes['one']}
                  aria-pressed={image.name === value}
                  onClick={() => onChoose(image.name)}
                >
                  <img src={image.url} alt={name} width={image.width} height={image.height} loading="lazy" />
                </button>
                <span className={classes['facts']}>
                  {image.width} × {image.height}, {format.bytes(image.bytes)}
                  <button
                    type="button"
                    className={classes['bin']}
                    aria-label={t('websites.deletePictureOf', { name })}
                    onClick={() => setRemoved(image)}
                  >
                    <IconTrash size={18} />
                  </button>
                </span>
              </li>
            )
          })}
        </ul>
      )}
      <ConfirmDialog
        opened={removed !== null}
        onClose={() => setRemoved(null)}
        title={t('websites.deletePicture')}
        text={t('websites.deletePictureText')}
        action={t('websites.deletePictureAction')}
        onConfirm={async () => {
          await api(deleteCraftumImage, { params: { ...params, name: removed?.name ?? '' } })
          await refresh()
        }}
      />
    </div>
  )
}
