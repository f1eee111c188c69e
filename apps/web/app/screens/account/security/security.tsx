import { HydrationBoundary } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { prefetch } from '#app/api/prefetch.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireUser } from '#app/features/session/require-user.ts'
import { securityQuery } from '#app/features/session/security-query.ts'
import { webContext } from '#app/load-context.ts'
import { AccountFrame } from '../account-frame.tsx'
import classes from '../account.module.css'
import { DevicesSection, sessionsQuery } from '../devices-section.tsx'
import { PasswordSection } from '../password-section.tsx'
import type { Route } from './+types/security'
import { AppSection } from './app-section.tsx'
import { PasskeysSection } from './passkeys-section.tsx'
import { RecoverySection } from './recovery-section.tsx'
import { SshKeysSection, sshKeysQuery } from './ssh-keys-section.tsx'

export async function loader({ request, context }: Route.LoaderArgs) {
  const user = requireUser(request, context)
  const { api } = context.get(webContext)
  return { queries: await prefetch(sessionsQuery(user.id, api), securityQuery(api), sshKeysQuery(user.id, api)) }
}

/** `/{lang}/account/settings/security`: password, second steps, SSH keys, devices. */
export default function AccountSecurity({ loaderData }: Route.ComponentProps) {
  // Recovery codes that were just made: shown once, wherever they came from.
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const recovery = useRef<HTMLDivElement>(null)
  const show = (made: readonly string[] | null) => {
    if (made === null) return
    setCodes(made)
    // They stand further down; whoever does not see them loses them.
    requestAnimationFrame(() => {
      recovery.current?.scrollIntoView({ block: 'center' })
      recovery.current?.focus({ preventScroll: true })
    })
  }
  return (
    <HydrationBoundary state={loaderData.queries}>
      <PageMeta page="accountSecurity" />
      <AccountFrame>
        <div className={classes['sections']}>
          <PasswordSection />
          <AppSection onCodes={show} />
          <PasskeysSection onCodes={show} />
          <RecoverySection codes={codes} onCodes={show} onSeen={() => setCodes(null)} ref={recovery} />
          <SshKeysSection />
          <DevicesSection />
        </div>
      </AccountFrame>
    </HydrationBoundary>
  )
}
