import { Checkbox } from '@mantine/core'
import { IconBrandDiscord } from '@tabler/icons-react'
import { data, Form, Link, redirect, redirectDocument, useNavigation, useSearchParams } from 'react-router'
import { finishDiscord } from '@wakestone/contract/accounts/socials-routes'
import { AuthFrame } from '#app/features/auth/auth-frame.tsx'
import classes from '#app/features/auth/auth-frame.module.css'
import { discordAddress } from '#app/features/auth/discord-address.ts'
import { noteAttempt } from '#app/features/auth/last-method.ts'
import { chooseLanguage } from '#app/features/language/choose-language.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { cameFrom } from '#app/features/session/came-from.ts'
import { useUser } from '#app/features/session/use-user.ts'
import { Trans, useTranslation } from '#app/i18n/texts.tsx'
import { useLanguage, usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { errorBodyOf } from '#app/ui/error-text.ts'
import { useReasonText } from '#app/ui/reason-text.ts'
import type { Route } from './+types/discord'

type Stop =
  /** Nobody has been to Discord yet. */
  | { kind: 'start' }
  | { kind: 'denied' | 'terms' | 'known' | 'taken'; from: string | null }
  | { kind: 'failed'; from: string | null; error: string }

type Consent = { accepted_tos: boolean; newsletter: boolean }

/**
 * Does what the visitor came back from Discord for. The state binds it to this browser and works once.
 * @returns what is still in the way. @throws a redirect when nothing is.
 */
async function comeBack(
  { request, context }: Pick<Route.LoaderArgs, 'request' | 'context'>,
  consent: Partial<Consent> = {},
): Promise<Stop> {
  const { api, language } = context.get(webContext)
  const search = new URL(request.url).searchParams
  const refused = search.get('refused') // by us, before Discord was asked
  if (refused !== null) return { kind: 'failed', from: search.get('from'), error: refused }
  const [code, state, denial] = ['code', 'state', 'error'].map((name) => search.get(name) ?? undefined)
  if (code === undefined && state === undefined && denial === undefined) return { kind: 'start' }
  try {
    const { from } = await api(finishDiscord, { body: { code, state, ...consent } })
    // A whole new page: nothing of the visitor stays in memory.
    throw redirectDocument(cameFrom(from, chooseLanguage(request, language)))
  } catch (thrown) {
    const answer = errorBodyOf(thrown)
    if (answer === undefined) throw thrown
    const { error, fields = {} } = answer
    const from = typeof fields['from'] === 'string' ? fields['from'] : null
    if (error === 'second_factor_required') {
      const query = from === null ? '' : `?from=${encodeURIComponent(from)}`
      throw redirect(`/${chooseLanguage(request, language)}/login/second-step${query}`)
    }
    if (denial === 'access_denied' && error === 'no_code') return { kind: 'denied', from }
    if (error === 'user_has_to_accept_terms') return { kind: 'terms', from }
    if (error === 'resource_already_exists' && fields['resource'] === 'email') return { kind: 'known', from }
    if (error === 'resource_already_exists') return { kind: 'taken', from }
    return { kind: 'failed', from, error }
  }
}

export const loader = (args: Route.LoaderArgs) => comeBack(args)

/** Opens the account once the terms are accepted; the same way with scripts and without. */
export async function action({ request, context }: Route.ActionArgs) {
  const form = await request.formData()
  const consent = { accepted_tos: form.has('accepted_tos'), newsletter: form.has('newsletter') }
  await comeBack({ request, context }, consent)
  return data({ refused: !consent.accepted_tos, newsletter: consent.newsletter }, { status: 400 })
}

/** What was asked for has been answered: asking again would be with a state that is gone. */
export const shouldRevalidate = () => false

/** `/{lang}/login/discord`: where Discord sends visitors back to. */
export default function DiscordLogin({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation()
  return (
    <>
      <PageMeta page="discordLogin" isPublic={false} />
      {loaderData.kind === 'start' && (
        <AuthFrame title={t('discord.title')} text={t('discord.text')}>
          <Again from={null} />
        </AuthFrame>
      )}
      {loaderData.kind === 'denied' && (
        <AuthFrame title={t('discord.deniedTitle')} text={t('discord.deniedText')}>
          <Again from={loaderData.from} />
        </AuthFrame>
      )}
      {loaderData.kind === 'terms' && <Terms answer={actionData} />}
      {loaderData.kind === 'known' && <Known />}
      {loaderData.kind === 'failed' && (
        <AuthFrame title={t('discord.failedTitle')}>
          <Again from={loaderData.from} failure={loaderData.error} />
        </AuthFrame>
      )}
      {loaderData.kind === 'taken' && (
        <AuthFrame title={t('discord.failedTitle')} text={t('discord.taken')}>
          <Again from={loaderData.from} />
        </AuthFrame>
      )}
    </>
  )
}

/** The way there once more, and the other ways. */
function Again({ from, failure }: { from: string | null; failure?: string }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const path = usePath()
  const user = useUser()
  const query = from === null ? '' : `?from=${encodeURIComponent(from)}`
  // Who is signed in wanted to link, which begins in the account.
  if (user !== null)
    return (
      <div className={classes['form']}>
        {failure !== undefined && <ErrorNote error={failure} />}
        <LinkButton to={path('/account/settings#connected')} look="primary" size="large" fullWidth>
          {t('discord.toAccount')}
        </LinkButton>
      </div>
    )
  return (
    <div className={classes['form']}>
      {failure !== undefined && <ErrorNote error={failure} />}
      <LinkButton
        to={discordAddress({ language, from })}
        reload
        rel="nofollow"
        look="primary"
        size="large"
        fullWidth
        icon={<IconBrandDiscord size={20} aria-hidden="true" />}
        onClick={() => noteAttempt('discord')}
      >
        {t(failure === undefined ? 'ways.discord' : 'discord.again')}
      </LinkButton>
      <p className={classes['other']}>
        <Link to={path(`/login${query}`)}>{t('discord.byPassword')}</Link>
        <Link to={path(`/email-login${query}`)}>{t('auth.byCode')}</Link>
      </p>
    </div>
  )
}

/** The address has no account yet. */
function Terms({ answer }: { answer: { refused: boolean; newsletter: boolean } | undefined }) {
  const { t } = useTranslation()
  const path = usePath()
  const reasonText = useReasonText()
  const isBusy = useNavigation().formMethod === 'POST'
  return (
    <AuthFrame title={t('discord.newTitle')} text={t('discord.newText')}>
      <Form className={classes['form']} method="post" noValidate>
        <Checkbox
          name="accepted_tos"
          label={
            <Trans
              i18nKey="auth.terms"
              components={{
                tos: <Link to={path('/terms-of-service')} target="_blank" />,
                pay: <Link to={path('/terms-and-conditions')} target="_blank" />,
                privacy: <Link to={path('/privacy-policy')} target="_blank" />,
              }}
            />
          }
          error={answer?.refused === true ? reasonText('terms') : undefined}
        />
        <Checkbox name="newsletter" label={t('auth.newsletter')} defaultChecked={answer?.newsletter ?? false} />
        <Button type="submit" look="primary" size="large" fullWidth loading={isBusy}>
          {t('auth.submitRegister')}
        </Button>
      </Form>
    </AuthFrame>
  )
}

/** Somebody has an account with the address: whoever logs in to it comes back here, and it is linked. */
function Known() {
  const { t } = useTranslation()
  const path = usePath()
  const [search] = useSearchParams()
  const back = `?from=${encodeURIComponent(path(`/login/discord?${search.toString()}`))}`
  return (
    <AuthFrame title={t('discord.knownTitle')} text={t('discord.knownText')}>
      <div className={classes['form']}>
        <LinkButton to={path(`/login${back}`)} look="primary" size="large" fullWidth>
          {t('discord.byPassword')}
        </LinkButton>
        <LinkButton to={path(`/email-login${back}`)} size="large" fullWidth>
          {t('auth.byCode')}
        </LinkButton>
      </div>
    </AuthFrame>
  )
}
