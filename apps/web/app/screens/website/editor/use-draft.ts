import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { ApiError } from '@wakestone/contract/client'
import { contentSchema, type WebsiteContent } from '@wakestone/contract/websites/content'
import { changeCraftum, publishCraftum, unpublishCraftum } from '@wakestone/contract/websites/craftums-routes'
import type { CraftumParameters } from '@wakestone/contract/websites/website'
import { api } from '#app/api/client.ts'
import { makeStale } from '#app/api/query-of.ts'
import { aboutWebsite } from '#app/api/stale-answers.ts'
import { useRouteChangeAlert } from '#app/features/route-alert/route-alert.ts'
import { websiteQuery } from '#app/features/websites/website-queries.ts'

/** What is being written, and how it is saved and published. */
export function useDraft(website: CraftumParameters) {
  const { id } = website.craftum
  const params = { id }
  const queries = useQueryClient()
  const [content, setContent] = useState(website.content)
  const [name, setName] = useState(website.craftum.name)
  const [saved, setSaved] = useState({
    content: website.content,
    name: website.craftum.name,
    revision: website.revision,
  })
  // Grows with each content that comes from elsewhere: what shows one begins anew.
  const [epoch, setEpoch] = useState(0)
  const isDirty = content !== saved.content || name !== saved.name
  const isGood = useMemo(() => contentSchema.safeParse(content).success, [content])
  useRouteChangeAlert(isDirty)
  useEffect(() => {
    if (!isDirty) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isDirty])

  function take(next: CraftumParameters) {
    queries.setQueryData(websiteQuery(id).queryKey, next)
    setContent(next.content)
    setName(next.craftum.name)
    setSaved({ content: next.content, name: next.craftum.name, revision: next.revision })
    setEpoch((old) => old + 1)
  }
  const refresh = () => makeStale(queries, ...aboutWebsite(id))

  async function saveNow(): Promise<number> {
    const sent = { content, name: name.trim() }
    if (!isDirty) return saved.revision
    await api(changeCraftum, { params, body: { ...sent, revision: saved.revision } })
    const revision = content === saved.content ? saved.revision : saved.revision + 1
    setSaved({ content: sent.content, name, revision })
    return revision
  }
  const save = useMutation({ mutationFn: saveNow, onSuccess: refresh })
  const publish = useMutation({
    mutationFn: async () => api(publishCraftum, { params, body: { revision: await saveNow() } }),
    onSuccess: refresh,
  })
  const unpublish = useMutation({ mutationFn: () => api(unpublishCraftum, { params }), onSuccess: refresh })
  const reload = useMutation({
    mutationFn: () => queries.fetchQuery({ ...websiteQuery(id), staleTime: 0 }),
    onSuccess: (next) => {
      take(next)
      save.reset()
      publish.reset()
    },
  })
  const failure = save.error ?? publish.error
  return {
    content,
    setContent: (change: (old: WebsiteContent) => WebsiteContent) => setContent(change),
    name,
    setName,
    epoch,
    revision: saved.revision,
    isDirty,
    isGood,
    save,
    publish,
    unpublish,
    take,
    refresh,
    /** Somebody, or another tab, has saved it meanwhile: what is here is lost once theirs is taken. */
    isOutrun: failure instanceof ApiError && failure.body.error === 'website_changed_since',
    reload,
  }
}
export type Draft = ReturnType<typeof useDraft>
