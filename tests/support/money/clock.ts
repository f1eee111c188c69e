/**
 * One clock for this process and PostgreSQL, which can be set ahead of the machine's. Timers go on by the machine's.
 */
import type pg from 'pg'

const RealDate = globalThis.Date

/** Has this process go by a clock of its own until `restore`. */
export function shiftOwnClock() {
  let ahead = 0
  const now = () => RealDate.now() + ahead
  globalThis.Date = new Proxy(RealDate, {
    construct(target, given: unknown[], made) {
      const all = given.length === 0 ? [now()] : given
      return Reflect.construct(target, all, made === globalThis.Date ? target : made) as object
    },
    get: (target, name, receiver) => (name === 'now' ? now : (Reflect.get(target, name, receiver) as unknown)),
  })
  return {
    /** Milliseconds by which it is ahead. */
    ahead: () => ahead,
    setAhead: (milliseconds: number) => void (ahead = milliseconds),
    restore: () => void (globalThis.Date = RealDate),
  }
}

/**
 * Has a database go by a clock of its own: `now()` and `clock_timestamp()` in whatever is asked of it by connections
 * made from now on, in defaults of columns, in ids made by time, and in functions that name their schemas.
 * @returns how to set it ahead.
 */
export async function shiftDatabaseClock(
  client: Pick<pg.Pool, 'query'>,
): Promise<(milliseconds: number) => Promise<void>> {
  await client.query(`
    create schema clock;
    create table clock.ahead (milliseconds bigint not null);
    insert into clock.ahead values (0);
    create function clock.shift() returns interval language sql stable
      as 'select make_interval(secs => milliseconds / 1000.0) from clock.ahead';
    create function clock.now() returns timestamptz language sql stable as 'select pg_catalog.now() + clock.shift()';
    create function clock.clock_timestamp() returns timestamptz language sql volatile
      as 'select pg_catalog.clock_timestamp() + clock.shift()';
    create function clock.uuidv7() returns uuid language sql volatile as 'select pg_catalog.uuidv7(clock.shift())';
    grant usage on schema clock to public;
    grant select on clock.ahead to public;
    do $$
    declare
      found record;
    begin
      execute format('alter database %I set search_path = clock, public, pg_catalog', current_database());
      for found in
        select attrelid::regclass as table_name, attname as column_name, pg_get_expr(adbin, adrelid) as expression
        from pg_attrdef join pg_attribute on attrelid = adrelid and attnum = adnum
        join pg_class on pg_class.oid = adrelid
        where pg_get_expr(adbin, adrelid) ~ '(now|clock_timestamp|uuidv7)\\(\\)' and relkind in ('r', 'p')
      loop
        execute format('alter table %s alter column %I set default %s', found.table_name, found.column_name,
          regexp_replace(found.expression, '(pg_catalog\\.)?\\m(now|clock_timestamp|uuidv7)\\(\\)', 'clock.\\2()', 'g'));
      end loop;
      for found in
        select pg_proc.oid::regprocedure as name from pg_proc, unnest(proconfig) as setting
        where setting ~ '^search_path=pg_catalog, public'
      loop
        execute format('alter function %s set search_path = clock, pg_catalog, public, pg_temp', found.name);
      end loop;
    end $$`)
  return async (milliseconds) => void (await client.query('update clock.ahead set milliseconds = $1', [milliseconds]))
}
