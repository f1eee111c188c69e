/** When the whole contract of a row of `services` was withdrawn from that it ran under; null: it goes on, or has ended otherwise. */
export const withdrawnAt = `case when services.expires <= now() then (select confirmed_at from withdrawals
  where service_id = services.id and renewal_id is null and change_id is null
    and confirmed_at >= services.expires) end`
