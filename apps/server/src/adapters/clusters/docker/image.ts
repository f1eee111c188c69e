/** The image in which servers run; `npm run image:supervisor` builds it. */

/** Of what is in it; it rises when a driver needs more than the one before has. */
export const imageVersion = 1
export const imageName = `wakestone-box:${imageVersion}`
