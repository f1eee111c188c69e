/**
 * Descriptions in languages that authors have left empty, by a machine: marked as that, never in the place of what an
 * author writes, within what may be spent on a day.
 */
import { languages } from '@wakestone/contract/values'
import { projectLimits } from '@wakestone/contract/marketplace/values'
import { type Texts, translate, TranslationUnavailable } from '#src/adapters/translation/chat-completions.ts'
import type { Context } from '#src/context.ts'
import { renderAuthorMarkdown } from '#src/features/site/documents/service.ts'
import * as repo from './repo.ts'

/** Of one run; the next one is five minutes later. */
const mostAtATime = 20
/** Of one text, over some three days. */
const mostTries = 8

type Deps = Pick<Context, 'db' | 'settings' | 'logger'>

/** @returns how many were made */
export async function translateDescriptions({ db, settings, logger }: Deps): Promise<number> {
  if (settings.TRANSLATION_URL === undefined) return 0
  await repo.deleteSpendingBefore(db, 30)
  let made = 0
  for (let place = 0; place < mostAtATime; place += 1) {
    const missing = await repo.findMissing(db, languages)
    if (missing === undefined) break
    const { project_id: projectId, to: language, digest, from, hint, short_description, description } = missing
    const key = { projectId, language, digest }
    const characters = short_description.length + description.length + (hint?.length ?? 0)
    // Counted before it is asked: a worker that is killed over it has spent it too.
    if (!(await repo.spend(db, characters, settings.TRANSLATION_CHARACTERS_PER_DAY))) break
    try {
      const texts = await translate(settings, { texts: { short_description, description }, from, to: language, hint })
      await repo.writeTranslation(db, key, await clean(texts))
      made += 1
    } catch (error) {
      if (!(error instanceof TranslationUnavailable)) throw error
      logger.warn({ project: projectId, language, reason: error.message }, 'a description was not translated')
      await repo.noteFailure(db, key, { seconds: error.afterSeconds, mostTries })
      // One that asks for patience is asked no more in this run.
      if (error.afterSeconds !== null) break
    }
  }
  return made
}

/** A machine's text is as little trusted as an author's. @throws TranslationUnavailable for what would not be taken of one */
async function clean({ short_description, description }: Texts) {
  const { shortDescription, description: most } = projectLimits
  const line = short_description.replace(/\s+/g, ' ').trim()
  if (line.length < shortDescription.min || line.length > shortDescription.max)
    throw new TranslationUnavailable('short description of another length')
  if (/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/u.test(line)) throw new TranslationUnavailable('hidden characters')
  if (description.length > most) throw new TranslationUnavailable('description too long')
  const html = await renderAuthorMarkdown(description)
  if (html === undefined) throw new TranslationUnavailable('Markdown that cannot be read')
  return { short_description: line, description, html }
}
