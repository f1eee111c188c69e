import { getWordPage } from '@wakestone/contract/site/documents-routes'
import { chooseLanguage } from '#app/features/language/choose-language.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { FigureScene } from '#app/features/words/figure-scene.tsx'
import { WordPage } from '#app/features/words/word-page.tsx'
import { webContext } from '#app/load-context.ts'
import type { Route } from './+types/partnership'

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, language } = context.get(webContext)
  return api(getWordPage, {
    params: { slug: 'partnership' },
    query: { language: chooseLanguage(request, language) },
  })
}

export default function Partnership({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <PageMeta page="partnership" isPublic />
      <WordPage page={loaderData} aside={<FigureScene />} />
    </>
  )
}
