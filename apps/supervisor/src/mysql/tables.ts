/** What stands in the tables, as a small screen shows it. */
import type { MysqlPage, MysqlTables } from '@wakestone/protocol/mysql'
import { mysqlColumns, mysqlName, mysqlRows, mysqlTables, mysqlValueLength } from '@wakestone/protocol/values'
import { ask, type MysqlAccess, StatementError } from './client.ts'

/** What a page says altogether: the control plane reads no more than 256 KiB. */
const MOST_PAGE_BYTES = 180 * 1024
/** A page that takes longer is given up. */
const LONGEST = 'set statement max_statement_time = 10 for'

const quote = (name: string) => `\`${name.replaceAll('`', '``')}\``
/** A text of SQL that means itself whatever is in it. */
const literal = (text: string) =>
  text === '' ? "''" : `convert(x'${Buffer.from(text).toString('hex')}' using utf8mb4)`

export async function listTables(access: MysqlAccess): Promise<Pick<MysqlTables, 'tables'>> {
  const lines = await ask(access, [
    `select json_array(table_name, table_type, coalesce(table_rows, 0), coalesce(data_length + index_length, 0))
     from information_schema.tables where table_schema = ${literal(mysqlName)} order by table_name limit ${mysqlTables}`,
  ])
  return {
    tables: lines.map((line) => {
      const [name, type, rows, bytes] = JSON.parse(line) as [string, string, number, number]
      return { name, isView: /VIEW/.test(type), rows: Number(rows), bytes: Number(bytes) }
    }),
  }
}

const BINARY = /^(?:tinyblob|blob|mediumblob|longblob|binary|varbinary|bit|geometry|point|linestring|polygon|multi\w+)$/

/** @throws StatementError where there is no such table */
export async function readPage(
  access: MysqlAccess,
  { table, offset }: { table: string; offset: number },
): Promise<MysqlPage> {
  const described = await ask(access, [
    `select json_array(column_name, column_type, data_type, column_key) from information_schema.columns
     where table_schema = ${literal(mysqlName)} and table_name = ${literal(table)}
     order by ordinal_position limit ${mysqlColumns}`,
  ])
  if (described.length === 0) throw new StatementError('there is no such table')
  const columns = described.map((line) => JSON.parse(line) as [string, string, string, string])
  const cells = columns.map(([name, , type]) =>
    BINARY.test(type)
      ? `concat('0x', hex(left(${quote(name)}, ${mysqlValueLength / 2 - 1})))`
      : `left(convert(cast(${quote(name)} as char) using utf8mb4), ${mysqlValueLength})`,
  )
  const keys = columns.filter(([, , , key]) => key === 'PRI').map(([name]) => quote(name))
  const order = keys.length > 0 ? `order by ${keys.join(', ')}` : ''
  const lines = await ask(access, [
    `${LONGEST} select json_array(${cells.join(', ')}) from ${quote(table)} ${order}
     limit ${mysqlRows + 1} offset ${offset}`,
  ])
  const rows: (string | null)[][] = []
  let bytes = 0
  for (const line of lines.slice(0, mysqlRows)) {
    bytes += Buffer.byteLength(line)
    if (bytes > MOST_PAGE_BYTES && rows.length > 0) break
    rows.push((JSON.parse(line) as unknown[]).map((value) => (value === null ? null : String(value))))
  }
  return {
    columns: columns.map(([name, type, , key]) => ({ name, type: type.slice(0, 200), isKey: key === 'PRI' })),
    rows,
    hasMore: lines.length > rows.length,
  }
}
