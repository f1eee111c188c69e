import type { Translate } from '#app/i18n/create-i18n.ts'

/** CodeMirror's own words. */
export const searchPhrases = (t: Translate): Record<string, string> => ({
  Find: t('files.find.find'),
  Replace: t('files.find.replaceWith'),
  next: t('files.find.next'),
  previous: t('files.find.previous'),
  all: t('files.find.all'),
  'match case': t('files.find.case'),
  regexp: t('files.find.regexp'),
  'by word': t('files.find.word'),
  replace: t('files.find.replace'),
  'replace all': t('files.find.replaceAll'),
  close: t('common.close'),
  'replaced $ matches': t('files.find.replaced'),
  'replaced match on line $': t('files.find.replacedLine'),
  'current match': t('files.find.current'),
  'on line': t('files.find.onLine'),
  'Go to line': t('files.find.goToLine'),
  go: t('files.find.go'),
  'Fold line': t('files.find.fold'),
  'Unfold line': t('files.find.unfold'),
  '$ unchanged lines': t('files.diff.unchanged'),
  'Revert this chunk': t('files.diff.take'),
  Accept: t('files.diff.mine'),
  Reject: t('files.diff.theirs'),
})
