import { useMutation } from '@tanstack/react-query'
import { shopLimits, shopPictureSchema } from '@wakestone/contract/sales/shop'
import { shopPictureUrl } from '@wakestone/contract/sales/shop-picture-transport'
import { addShopPicture } from '@wakestone/contract/sales/shop-routes'
import { sendWithFiles } from '#app/api/send-with-files.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { FileDrop } from '#app/ui/file-drop.tsx'
import classes from './shop.module.css'

/** The picture of the shop or of an item. It is sent as soon as it is chosen, and shown once that is saved. */
export function PictureInput({
  serverId,
  label,
  value,
  onChange,
  isShown = false,
}: {
  serverId: string
  label: string
  /** Its name; empty: none. */
  value: string
  onChange: (name: string) => void
  /** It is shown beside this anyway. */
  isShown?: boolean
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const add = useMutation({
    mutationFn: (file: File) =>
      sendWithFiles(addShopPicture, {
        params: { id: serverId },
        body: {},
        files: [['picture', file]],
        answer: shopPictureSchema,
      }),
    onSuccess: ({ name }) => onChange(name),
  })
  return (
    <div className={classes['picture']} role="group" aria-label={label}>
      <FileDrop
        label={value === '' ? label : t('shop.owner.otherPicture')}
        hint={t('shop.owner.pictureHint', { size: format.bytes(shopLimits.pictureBytes) })}
        accept="image/png,image/jpeg,image/webp,image/gif"
        busy={add.isPending}
        onFiles={([file]) => file !== undefined && add.mutate(file)}
      >
        {value !== '' && !isShown ? (
          <img src={shopPictureUrl(serverId, value)} alt="" width={96} height={96} />
        ) : undefined}
      </FileDrop>
      {value !== '' && (
        <div>
          <Button size="small" look="quiet" onClick={() => onChange('')}>
            {t('shop.owner.noPicture')}
          </Button>
        </div>
      )}
      {add.error !== null && <ErrorNote error={add.error} />}
    </div>
  )
}
