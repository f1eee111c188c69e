/** Tickets as their writers and those who answer read them, and what both do. */
import { keepPreviousData, type QueryClient } from '@tanstack/react-query'
import { useQueryClient } from '@tanstack/react-query'
import type { ApiClient } from '@wakestone/contract/client'
import {
  answerClocks,
  deskStates,
  deskThreadSchema,
  type DeskThread,
  ticketSchema,
  ticketThreadSchema,
  type TicketThread,
} from '@wakestone/contract/accounts/support'
import * as routes from '@wakestone/contract/accounts/support-routes'
import { type TicketListState, ticketListStates, ticketTopics } from '@wakestone/contract/values'
import type { z } from 'zod'
import { api } from '#app/api/client.ts'
import { answersOf, makeStale, queryOf } from '#app/api/query-of.ts'
import { sendWithFiles } from '#app/api/send-with-files.ts'
import { readPage } from '#app/ui/table-address.ts'

export const deskPageSize = 25

export const readTicketState = (search: URLSearchParams): TicketListState | undefined =>
  ticketListStates.find((state) => state === search.get('state'))

export const ticketsQuery = (id: string, state: TicketListState | undefined, client: ApiClient = api) =>
  queryOf(
    routes.listUserTickets,
    { params: { id }, query: state === undefined ? {} : { state } },
    { client, placeholderData: keepPreviousData },
  )
export const ticketQuery = (id: string, client: ApiClient = api) =>
  queryOf(routes.getTicket, { params: { id } }, { client })

/** The filters of the address; what means nothing is left out. */
export function readDesk(search: URLSearchParams) {
  const given = <const Name extends string>(name: string, known: readonly Name[]) =>
    known.find((one) => one === search.get(name))
  const state = given('state', deskStates)
  const topic = given('topic', ticketTopics)
  const clock = given('clock', answerClocks)
  const assignee = given('assignee', ['me', 'nobody'] as const)
  const q = (search.get('q') ?? '').trim().slice(0, 100)
  return {
    offset: (readPage(search) - 1) * deskPageSize,
    limit: deskPageSize,
    ...(state !== undefined && { state }),
    ...(topic !== undefined && { topic }),
    ...(clock !== undefined && { clock }),
    ...(assignee !== undefined && { assignee }),
    ...(q !== '' && { q }),
  }
}
export const deskQuery = (filters: ReturnType<typeof readDesk>, client: ApiClient = api) =>
  queryOf(routes.listDeskTickets, { query: filters }, { client, placeholderData: keepPreviousData })
export const deskTicketQuery = (ticketId: string, client: ApiClient = api) =>
  queryOf(routes.getDeskTicket, { params: { ticketId } }, { client })
export const macrosQuery = (client: ApiClient = api) => queryOf(routes.listMacros, {}, { client })

/** Lists and threads in which a ticket stands; all of them where nobody knows which has changed. */
export const staleTickets = (queries: QueryClient, id?: string): Promise<void> =>
  makeStale(
    queries,
    answersOf(routes.listUserTickets),
    answersOf(routes.getTicket, id === undefined ? undefined : { id }),
    answersOf(routes.listDeskTickets),
    answersOf(routes.getDeskTicket, id === undefined ? undefined : { ticketId: id }),
  )

/** Files are told by the names that they have where they come from. */
const withFiles = (body: object, files: readonly File[]) => ({
  body: { ...body, file_names: files.map(({ name }) => name.slice(0, 120)) },
  files: files.map((file) => ['file', file] as const),
})

export const sendTicketWithFiles = (body: object, files: readonly File[]) =>
  sendWithFiles(routes.createTicket, { ...withFiles(body, files), answer: ticketSchema })

/** What its writer does with a ticket. */
export function useOwnTicket(id: string) {
  const queries = useQueryClient()
  const keep = async (thread: TicketThread) => {
    queries.setQueryData(ticketQuery(id).queryKey, thread)
    await makeStale(queries, answersOf(routes.listUserTickets))
  }
  return {
    write: async (message: string, files: readonly File[]) =>
      keep(
        await sendWithFiles(routes.writeTicketMessage, {
          params: { id },
          ...withFiles({ message }, files),
          answer: ticketThreadSchema,
        }),
      ),
    solve: async () => keep(await api(routes.solveTicket, { params: { id } })),
    rate: async (body: { rate: 'good' | 'bad'; comment: string }) =>
      keep(await api(routes.rateTicket, { params: { id }, body })),
  }
}

/** What those who answer do with one. */
export function useDeskTicket(ticketId: string) {
  const queries = useQueryClient()
  const keep = async (thread: DeskThread) => {
    queries.setQueryData(deskTicketQuery(ticketId).queryKey, thread)
    await makeStale(queries, answersOf(routes.listDeskTickets))
  }
  const params = { ticketId }
  return {
    answer: async (message: string, status: 'PENDING' | 'SOLVED', files: readonly File[]) =>
      keep(
        await sendWithFiles(routes.answerTicket, {
          params,
          ...withFiles({ message, status }, files),
          answer: deskThreadSchema,
        }),
      ),
    note: async (message: string) => keep(await api(routes.noteOnTicket, { params, body: { message } })),
    change: async (body: z.input<typeof routes.changeTicket.body>) =>
      keep(await api(routes.changeTicket, { params, body })),
  }
}
