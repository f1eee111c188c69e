import * as routes from '@wakestone/contract/accounts/socials-routes'
import { DomainError } from '@wakestone/contract/errors'
import { createDiscord } from '#src/adapters/discord/client.ts'
import { requireWithinLimit } from '#src/features/ground/limits/service.ts'
import { answerLogin, discordCookie, setDiscordCookie } from '#src/http/cookies.ts'
import { deviceOf } from '#src/http/device.ts'
import { type Api, implement } from '#src/http/implement.ts'
import { beginDiscord, finishDiscord } from './discord-login.ts'
import { showUser, unlinkSocial } from '#src/features/accounts/users/service.ts'

export function registerDiscordRoutes(api: Api): void {
  const { context, principals } = api
  const { settings } = context
  const discord = createDiscord(settings)
  const requireDiscord = () => {
    if (discord === undefined) throw new DomainError('resource_not_found', { resource: 'social' })
    return discord
  }

  implement(api, routes.beginDiscord, async ({ query, ip, request, reply }) => {
    void reply.header('cache-control', 'no-store')
    try {
      const client = requireDiscord()
      await requireWithinLimit(context, 'discord', { ip })
      const { url, browser } = await beginDiscord(context, client, { ...query, kept: request.cookies[discordCookie] })
      setDiscordCookie(reply, settings, browser)
      void reply.header('location', url)
    } catch (error) {
      // A browser comes by a link: it is to show a page, and not an answer for programs.
      if (!(error instanceof DomainError) || request.headers.accept?.includes('text/html') !== true) throw error
      const told = new URLSearchParams({ refused: error.code, ...(query.from !== undefined && { from: query.from }) })
      void reply.header('location', `/${query.language}/login/discord?${told.toString()}`)
    }
  })
  // By POST, unlike a login: another site must not send somebody to link, who may be somebody else's at Discord.
  implement(api, routes.beginDiscordLink, async ({ body, user, ip, request, reply }) => {
    const client = requireDiscord()
    await requireWithinLimit(context, 'discord', { ip })
    const kept = request.cookies[discordCookie]
    const { url, browser } = await beginDiscord(context, client, { ...body, userId: user.userId, kept })
    setDiscordCookie(reply, settings, browser)
    return { url }
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
