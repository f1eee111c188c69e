/** Projects of the marketplace: what somebody has published, followed, reviewed and reported. */
import { deleted, own, ownServers, type PersonalTable } from './personal-table.ts'

const ownReleases = '(select id from releases where published_by = $1)'

export const marketplace: Readonly<Record<string, PersonalTable>> = {
  project_members: {
    of: own,
    export: {
      about: 'Projects of the marketplace, and the role in each.',
      columns: ['project_id', 'role', 'created_at'],
      without: ['user_id'],
    },
    deletion: deleted,
  },
  project_follows: {
    of: own,
    export: { about: 'Projects that were followed.', columns: ['project_id', 'created_at'], without: ['user_id'] },
    deletion: deleted,
  },
  releases: {
    of: 'published_by = $1',
    export: {
      about: 'Releases that were published.',
      columns: [
        'id',
        'project_id',
        'version',
        'release_type',
        'state',
        'description',
        'game_versions',
        'loaders',
        'asked_manifest',
        'manifest',
        'findings',
        'reason',
        'downloads',
        'waiting_since',
        'waited_seconds',
        'published_at',
        'archived_at',
        'deleted_at',
        'created_at',
      ],
      without: ['published_by', 'html'],
    },
    deletion: {
      how: 'anonymised',
      set: { published_by: 'null' },
      why: 'Servers run what was published; who published it is not told any more.',
    },
  },
  release_artifacts: {
    of: `release_id in ${ownReleases}`,
    export: {
      about: 'Their files.',
      columns: ['id', 'release_id', 'name', 'type', 'sha256', 'size', 'arrived_at', 'details', 'deleted_at'],
    },
    deletion: { how: 'kept', why: 'Servers run what was published.' },
  },
  release_announcements: {
    of: `release_id in ${ownReleases}`,
    export: { not: 'What is about to be told of a release; gone once it is.' },
    deletion: { how: 'kept', why: 'Names nobody; gone within minutes.' },
  },
  project_webhook_deliveries: {
    of: `release_id in ${ownReleases}`,
    export: { not: 'What programs of a project were told of its releases; its members read it in the panel.' },
    deletion: { how: 'kept', why: 'Names nobody; goes with the webhook.' },
  },
  artifact_uploads: {
    of: own,
    export: { not: 'Secrets that let a file be sent.' },
    deletion: deleted,
  },
  project_uses: {
    of: `server_id in ${ownServers}`,
    export: {
      about: 'Projects that servers have had, and for how long.',
      columns: ['project_id', 'server_id', 'release_id', 'seconds', 'installed_at', 'removed_at'],
    },
    deletion: deleted,
  },
  project_reviews: {
    of: own,
    export: {
      about: 'Reviews of projects.',
      columns: [
        'id',
        'project_id',
        'release_id',
        'rate',
        'comment',
        'answer',
        'answered_at',
        'created_at',
        'deleted_at',
      ],
      without: ['user_id'],
    },
    deletion: deleted,
  },
  project_reports: {
    of: own,
    export: {
      about: 'What was reported to moderators.',
      columns: ['id', 'project_id', 'reason', 'comment', 'release_id', 'review_id', 'created_at', 'closed_at'],
      without: ['user_id'],
    },
    deletion: {
      how: 'anonymised',
      set: { user_id: 'null' },
      why: 'Moderators still have to look into it.',
    },
  },
}
