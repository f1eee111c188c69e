/** Questions of the home page, in order: keys of their texts. Search engines are told the same. */
export const faq = (['free', 'start', 'engines', 'join', 'pay', 'sleep', 'backups', 'own'] as const).map((name) => ({
  name,
  question: `faq.${name}.question` as const,
  answer: `faq.${name}.answer` as const,
}))
