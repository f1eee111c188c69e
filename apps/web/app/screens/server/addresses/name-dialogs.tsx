import { TextInput } from '@mantine/core'
import { ownDomainSchema } from '@wakestone/contract/servers/addresses'
import { addOwnDomain, addSecondaryDomain, setPrimaryDomain } from '@wakestone/contract/servers/addresses-routes'
import { subdomainSchema } from '@wakestone/contract/validation'
import { z } from 'zod'
import { api } from '#app/api/client.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { DialogForm } from '#app/ui/dialog-form.tsx'
import { errorBodyOf } from '#app/ui/error-text.ts'
import { Modal } from '#app/ui/modal.tsx'
import { useZodForm } from '#app/ui/use-zod-form.ts'
import classes from './addresses.module.css'

type Shared = { serverId: string; onClose: () => void; onSaved: () => Promise<unknown> }

const nameBody = z.object({ subdomain: subdomainSchema })

/** A name in the operator's zone: in the place of the present one, or beside it. */
export function NameDialog({
  serverId,
  kind,
  zone,
  present,
  onClose,
  onSaved,
}: Shared & { kind: 'primary' | 'secondary'; zone: string; present: string }) {
  const { t } = useTranslation()
  const form = useZodForm(nameBody, { subdomain: '' })
  const submit = form.submit(async ({ subdomain }) => {
    try {
      await api(kind === 'primary' ? setPrimaryDomain : addSecondaryDomain, {
        params: { id: serverId },
        body: { subdomain, zone_name: zone },
      })
    } catch (error) {
      const code = errorBodyOf(error)?.error
      if (code === 'resource_already_exists') return form.refuse('subdomain', 'taken')
      if (code === 'domain_reserved') return form.refuse('subdomain', 'name_reserved')
      throw error
    }
    await onSaved()
    onClose()
  })
  return (
    <Modal opened onClose={onClose} title={t(kind === 'primary' ? 'addresses.changePrimary' : 'addresses.add')}>
      <DialogForm
        onSubmit={submit}
        onCancel={onClose}
        action={t(kind === 'primary' ? 'addresses.takeOver' : 'addresses.add')}
        busy={form.busy}
        failure={form.failure}
      >
        {kind === 'primary' && <p>{t('addresses.changeText', { name: present })}</p>}
        <TextInput
          label={t('addresses.name')}
          description={t('addresses.nameHint')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          data-autofocus
          rightSection={<span className={classes['zone']}>.{zone}</span>}
          rightSectionWidth={`${zone.length + 3}ch`}
          {...form.field('subdomain')}
        />
      </DialogForm>
    </Modal>
  )
}

const domainBody = z.object({ fqdn: ownDomainSchema })

/** A domain that somebody has already. */
export function OwnDomainDialog({ serverId, onClose, onSaved }: Shared) {
  const { t } = useTranslation()
  const form = useZodForm(domainBody, { fqdn: '' })
  const submit = form.submit(async (body) => {
    await api(addOwnDomain, { params: { id: serverId }, body })
    await onSaved()
    onClose()
  })
  return (
    <Modal opened onClose={onClose} title={t('addresses.addOwn')}>
      <DialogForm
        onSubmit={submit}
        onCancel={onClose}
        action={t('addresses.addOwn')}
        busy={form.busy}
        failure={form.failure}
      >
        <p>{t('addresses.ownText')}</p>
        <TextInput
          label={t('addresses.domain')}
          description={t('addresses.domainHint')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          inputMode="url"
          data-autofocus
          {...form.field('fqdn')}
        />
      </DialogForm>
    </Modal>
  )
}
