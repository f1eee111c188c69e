import * as routes from '@wakestone/contract/routes/socials'
import { DomainError } from '@wakestone/contract/errors'
import { publicUrl } from '@wakestone/kit/settings'
import { createDiscord } from '#src/adapters/discord/client.ts'
import { requireWithinLimit } from '#src/features/limits/service.ts'
import { answerLogin } from '#src/http/cookies.ts'
import { deviceOf } from '#src/http/device.ts'
import { type Api, implement } from '#src/http/implement.ts'
import { isSameSite } from '#src/http/same-site.ts'
import { beginDiscord, finishDiscord } from './discord-login.ts'
import { showUser } from './service.ts'
import { unlinkSocial } from './socials.ts'

/** Binds a way to Discord and back to the browser that goes it. */
const discordCookie = 'ws_discord'

export function registerDiscordRoutes(api: Api): void {
  const { context, principals } = api
  const { settings } = context
  const discord = createDiscord(settings)
  const requireDiscord = () => {
    if (discord === undefined) throw new DomainError('resource_not_found', { resource: 'social' })
    return discord
  }

  implement(api, routes.beginDiscord, async ({ query, user, ip, request, reply }) => {
    const client = requireDiscord()
    const linking = query.link === undefined ? undefined : user
    if (query.link !== undefined && user === undefined) throw new DomainError('unauthorized')
    // Another site may send a visitor to log in, but not a user to link: at Discord they may be somebody else.
    if (linking !== undefined && !isSameSite(request, publicUrl(settings))) throw new DomainError('access_denied')
    await requireWithinLimit(context, 'discord', { ip })
    const { url, browser } = await beginDiscord(context, client, {
      language: query.language,
      ...(linking !== undefined && { userId: linking.userId }),
      ...(query.from !== undefined && { from: query.from }),
      ...(request.cookies[discordCookie] !== undefined && { browser: request.cookies[discordCookie] }),
    })
    void reply
      .setCookie(discordCookie, browser, {
        path: '/',
        httpOnly: true,
        sameSite: 'lax',
        secure: publicUrl(settings).startsWith('https:'),
        maxAge: 30 * 60,
      })
      .header('cache-control', 'no-store')
      .header('location', url)
  })
  implement(api, routes.finishDiscord, async ({ body, user, request, reply }) => {
    const { outcome, userId, login, from } = await finishDiscord(context, requireDiscord(), {
      ...body,
      browser: request.cookies[discordCookie],
      callerId: user?.userId,
      device: deviceOf(request, reply, settings),
    })
    if (login !== undefined) await answerLogin(reply, { settings, principals }, login, from === null ? {} : { from })
    return {
      user: await showUser(context, userId),
      already_exists: outcome !== 'register',
      added_to_queue: false,
      server: null,
      voucher: null,
      outcome,
      from,
    }
  })
  implement(api, routes.unlinkSocial, async ({ params, ip }) => unlinkSocial(context, params.id, ip))
}
