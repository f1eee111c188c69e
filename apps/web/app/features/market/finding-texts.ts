import type { I18n } from '#app/i18n/create-i18n.ts'
import type { Texts } from '#app/i18n/create-i18n.ts'

type Rule = keyof Texts['market']['rules']

/** What a rule of the gate means; the rule itself where a newer server has one that is not known here. */
export function findingTexts(t: I18n['t']): (rule: string) => string {
  const known: Record<Rule, string> = {
    archive_damaged: t('market.rules.archive_damaged'),
    archive_encrypted: t('market.rules.archive_encrypted'),
    archive_too_many_entries: t('market.rules.archive_too_many_entries'),
    archive_expands: t('market.rules.archive_expands'),
    archive_hides_bytes: t('market.rules.archive_hides_bytes'),
    entry_path: t('market.rules.entry_path'),
    entry_twice: t('market.rules.entry_twice'),
    entry_link: t('market.rules.entry_link'),
    entry_differs: t('market.rules.entry_differs'),
    nested_archive: t('market.rules.nested_archive'),
    secret_packed: t('market.rules.secret_packed'),
    process_start: t('market.rules.process_start'),
    native_code: t('market.rules.native_code'),
    class_loading: t('market.rules.class_loading'),
    network: t('market.rules.network'),
    deserialisation: t('market.rules.deserialisation'),
    ends_game: t('market.rules.ends_game'),
    obfuscated: t('market.rules.obfuscated'),
    hosts: t('market.rules.hosts'),
    program_packed: t('market.rules.program_packed'),
    loader_missing: t('market.rules.loader_missing'),
    name_reserved: t('market.rules.name_reserved'),
    version_differs: t('market.rules.version_differs'),
    not_inspected: t('market.rules.not_inspected'),
    quarantined: t('market.rules.quarantined'),
    file_changed: t('market.rules.file_changed'),
  }
  return (rule) => (Object.hasOwn(known, rule) ? known[rule as Rule] : rule)
}
