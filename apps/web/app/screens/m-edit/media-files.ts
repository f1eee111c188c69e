/** Pictures and videos that are to be sent, and why they cannot be. */
import { type MediaKind, projectLimits } from '@wakestone/contract/marketplace/values'

export type ChosenMedia = Readonly<Record<MediaKind, readonly File[]>>
export const noMedia: ChosenMedia = { icon: [], thumbnail: [], image: [], video: [] }

const mostBytes: Record<MediaKind, number> = {
  icon: projectLimits.iconBytes,
  thumbnail: projectLimits.imageBytes,
  image: projectLimits.imageBytes,
  video: projectLimits.videoBytes,
}

type Problem = { kind: 'size'; name: string; most: number } | { kind: 'count'; of: 'image' | 'video' }

/** The first thing that the API would refuse. */
export function mediaProblem(
  chosen: { [Kind in MediaKind]: readonly Pick<File, 'name' | 'size'>[] },
  shown: readonly { kind: MediaKind }[],
): Problem | undefined {
  for (const kind of Object.keys(mostBytes) as MediaKind[])
    for (const { name, size } of chosen[kind])
      if (size > mostBytes[kind]) return { kind: 'size', name, most: mostBytes[kind] }
  const limits = { image: projectLimits.images, video: projectLimits.videos }
  for (const kind of ['image', 'video'] as const)
    if (chosen[kind].length + shown.filter((one) => one.kind === kind).length > limits[kind])
      return { kind: 'count', of: kind }
  return undefined
}

/** As fields of a form. */
export const filesOf = (chosen: ChosenMedia): [MediaKind, File][] =>
  (Object.keys(mostBytes) as MediaKind[]).flatMap((kind) => chosen[kind].map((file): [MediaKind, File] => [kind, file]))
