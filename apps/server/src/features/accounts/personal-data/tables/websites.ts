/** Websites, what is in them, and their names. */
import { own, type PersonalTable } from './personal-table.ts'

const ownWebsites = '(select id from craftums where owner_id = $1)'

export const websites: Readonly<Record<string, PersonalTable>> = {
  craftums: {
    of: 'owner_id = $1',
    export: {
      about: 'Websites with their drafts.',
      columns: [
        'id',
        'service_id',
        'name',
        'draft',
        'revision',
        'saved_at',
        'published_version',
        'created_at',
        'cleanup_date',
        'deleted_at',
      ],
      without: ['owner_id'],
    },
    deletion: {
      how: 'anonymised',
      set: { name: `'deleted'`, draft: 'null', published_version: 'null', deleted_at: 'coalesce(deleted_at, now())' },
      why: 'Books of account refer to what was rented; nothing of what was in it stays.',
    },
  },
  craftum_versions: {
    of: `craftum_id in ${ownWebsites}`,
    export: {
      about: 'What was published on websites.',
      columns: ['craftum_id', 'version', 'content', 'created_at'],
    },
    deletion: { how: 'deleted' },
  },
  craftum_domains: {
    of: `craftum_id in ${ownWebsites}`,
    export: {
      about: 'Domains of websites.',
      columns: [
        'craftum_id',
        'fqdn',
        'proof',
        'proved_at',
        'proof_missing_since',
        'leads_here',
        'checked_at',
        'created_at',
      ],
      without: ['error', 'look_at'],
    },
    deletion: { how: 'deleted' },
  },
  craftum_images: {
    of: `craftum_id in ${ownWebsites}`,
    export: {
      about: 'Pictures of websites.',
      columns: ['craftum_id', 'name', 'width', 'height', 'bytes', 'created_at'],
      without: ['content'],
    },
    deletion: { how: 'deleted' },
  },
  craftum_names: {
    of: own,
    export: {
      about: 'Addresses of websites.',
      columns: ['name', 'craftum_id', 'reserved_until'],
      without: ['user_id'],
    },
    deletion: { how: 'deleted' },
  },
}
