/** Where a browser gets a file of a backup, or a folder as an archive. */
export const contentAddress = (serverId: string, backupId: string, path: string) =>
  `/api/v1/servers/${serverId}/backups/${backupId}/content?path=${encodeURIComponent(path)}`
