/** Pictures of the website that is being written. */
import { createContext, use } from 'react'
import type { WebsiteImage } from '@wakestone/contract/websites/website'

export type Images = { websiteId: string; all: readonly WebsiteImage[] }
export const ImagesContext = createContext<Images | null>(null)
export function useImages(): Images {
  const images = use(ImagesContext)
  if (images === null) throw new Error('there is no website')
  return images
}
