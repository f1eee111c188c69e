#!/bin/sh
# Becomes one role of the product.
set -eu
role="${1:-api}"
[ "$#" -gt 0 ] && shift
# For health.mjs, which is told nothing.
printf %s "$role" >/run/wakestone/role 2>/dev/null || true
case "$role" in
  api | migrate | drain | doctor | business-backup | business-restore | admin-password)
    script="apps/server/src/$role.ts" ;;
  worker) exec /app/deploy/docker/worker.sh ;;
  gateway) script=apps/gateway/src/main.ts ;;
  all) script=apps/standalone/src/main.ts ;;
  *)
    echo "There is no role $role: api, worker, gateway, all, migrate, drain, doctor, business-backup, business-restore, admin-password." >&2
    exit 2 ;;
esac
exec node --disable-warning=ExperimentalWarning "/app/$script" "$@"
