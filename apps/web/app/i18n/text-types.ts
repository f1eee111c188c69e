import type de from './locales/de.json'
import type en from './locales/en.json'
import type pl from './locales/pl.json'

/** Keys of a tree as code uses them: dotted, without plural forms. */
type Keys<Tree, Prefix extends string = ''> = {
  [Key in keyof Tree & string]: Tree[Key] extends string
    ? `${Prefix}${Key extends `${infer Base}_${'zero' | 'one' | 'two' | 'few' | 'many' | 'other'}` ? Base : Key}`
    : Keys<Tree[Key], `${Prefix}${Key}.`>
}[keyof Tree & string]

/** Every key that `t` takes. */
export type TextKey = Keys<typeof en>

type Same<A, B> = [Exclude<A, B>, Exclude<B, A>] extends [never, never]
  ? true
  : { missing: Exclude<A, B>; surplus: Exclude<B, A> }

/** A key that one language lacks makes one of these fail to compile, naming it. */
export const polishIsComplete: Same<Keys<typeof en>, Keys<typeof pl>> = true
export const germanIsComplete: Same<Keys<typeof en>, Keys<typeof de>> = true
