/** Puts the samples into an installation that is only tried out. They pass the same gate as everything else. */
import { createHash } from 'node:crypto'
import { languages } from '@wakestone/contract/primitives'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { lockName } from '#src/db/lock-name.ts'
import { findTakenSlugs, provideProject } from '#src/features/marketplace/projects/service.ts'
import { provideRelease, storeArtifact } from '#src/features/marketplace/releases/service.ts'
import { writeAuthorHtml } from '#src/features/site/documents/service.ts'
import { samples } from './content.ts'
import type { Sample } from './sample.ts'

type Deps = Pick<Context, 'db' | 'settings' | 'boss'>

/** Spread out, so that the first server of someone trying it out does not start beside all the inspections. */
const secondsApart = 5

/** What is there already stays as it is. */
export async function ensureSamples(deps: Deps): Promise<void> {
  const known = await findTakenSlugs(
    deps.db,
    samples.map(({ slug }) => slug),
  )
  for (const [index, sample] of samples.entries())
    if (!known.has(sample.slug)) await ensureSample(deps, sample, index * secondsApart)
}

/** What it says of itself besides its files; undefined: nothing. */
const manifestOf = ({ needs = [], suits = [] }: Sample) => {
  const dependencies = [
    ...needs.map((name) => ({ selector: { name }, kind: 'required' as const })),
    ...suits.map((name) => ({ selector: { name }, kind: 'optional' as const })),
  ]
  return dependencies.length === 0 ? null : { dependencies }
}

async function ensureSample(deps: Deps, sample: Sample, afterSeconds: number) {
  const { slug, name, type, labels, loaders, versions, file, texts } = sample
  const sha256 = createHash('sha256').update(file.bytes).digest('hex')
  const descriptions = languages.map((language) => ({
    language,
    short_description: texts[language].short,
    description: texts[language].long,
    // These are our own words: no thread of its own has to guard anybody against them.
    html: writeAuthorHtml(texts[language].long),
    is_original: language === 'en',
  }))
  await inTransaction(deps.db, async (trx) => {
    await lockName(trx, 'samples of the marketplace') // several workers may start at once
    const id = await provideProject(trx, {
      facts: {
        slug,
        name,
        project_type: type,
        game_tags: ['minecraft', 'minecraft-java'],
        labels,
        author_name: 'Wakestone',
        license: 'MIT',
        visibility: 'public',
        is_sample: true,
        // Nobody has to look at what came with the product.
        verified_at: new Date(),
      },
      descriptions,
    })
    if (id === undefined) return
    await storeArtifact(deps.settings, sha256, file.bytes)
    await provideRelease(deps.boss, trx, {
      projectId: id,
      version: '1.0.0',
      loaders,
      game_versions: versions,
      file: { name: file.name, sha256, size: file.bytes.length },
      asked_manifest: manifestOf(sample),
      afterSeconds,
    })
  })
}
