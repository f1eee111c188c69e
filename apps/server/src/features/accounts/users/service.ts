/**
 * The user: who they are, what they may do, which accounts elsewhere are linked, and how the contract shows them.
 */
export { openAccount } from './open-account.ts'
export {
  changeUser,
  findForeignHash,
  findUser,
  findUserByLogin,
  findUserCapabilities,
  grantCapabilities,
  isUsernameTaken,
  lockUser,
  markEmailVerified,
  nameTaken,
  replacePasswordHash,
  selectDueUsers,
  type UserRow,
  writeActivities,
} from './repo.ts'
export { openShownUsers, type ShownUsers, showUser } from './shown-user.ts'
export { endSocialsOf, findSocial, insertSocial, updateSocial } from './social-repo.ts'
export { detailsOf, linkDiscord, socialOwners, socialTaken, unlinkSocial } from './socials.ts'
