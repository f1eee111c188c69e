/** Writes what `mysqldump` would: definitions and extended inserts, with its escapes and all that stands around them. */

export type Column = { name: string; type: string }
type Cell = string | number | Buffer | null
export type DumpTable = { name: string; columns: readonly Column[]; rows: readonly (readonly Cell[])[] }

const escaped: Readonly<Record<string, string>> = {
  '\0': '\\0',
  '\n': '\\n',
  '\r': '\\r',
  '\\': '\\\\',
  "'": "\\'",
  '"': '\\"',
  '\u001a': '\\Z',
}

export const quoteText = (text: string) =>
  // oxlint-disable-next-line no-control-regex
  `'${text.replace(/[\0\n\r\\'"\u001a]/g, (letter) => escaped[letter]!)}'`

/** Bytes that are no text are written as they are. */
export function quoteBytes(bytes: Buffer): Buffer {
  const parts = [...bytes].map((byte) => {
    const written = byte < 128 ? escaped[String.fromCharCode(byte)] : undefined
    return written === undefined ? Buffer.of(byte) : Buffer.from(written)
  })
  return Buffer.concat([Buffer.from("_binary '"), ...parts, Buffer.from("'")])
}

function writeCell(cell: Cell): Buffer {
  if (cell === null) return Buffer.from('NULL')
  if (typeof cell === 'number') return Buffer.from(String(cell))
  return typeof cell === 'string' ? Buffer.from(quoteText(cell)) : quoteBytes(cell)
}

const quoteName = (name: string) => `\`${name.replaceAll('`', '``')}\``

/** @param rowsPerInsert as `net_buffer_length` would have it */
export function writeDump(
  tables: readonly DumpTable[],
  { rowsPerInsert = 3, withTriggers = false }: { rowsPerInsert?: number; withTriggers?: boolean } = {},
): Buffer {
  const parts: Buffer[] = [Buffer.from(head)]
  for (const { name, columns, rows } of tables) {
    const quoted = quoteName(name)
    parts.push(
      Buffer.from(`
--
-- Table structure for table ${quoted}
--

DROP TABLE IF EXISTS ${quoted};
/*!40101 SET @saved_cs_client     = @@character_set_client */;
/*!50503 SET character_set_client = utf8mb4 */;
CREATE TABLE ${quoted} (
${columns.map((column) => `  ${quoteName(column.name)} ${column.type},\n`).join('')}  PRIMARY KEY (${quoteName(columns[0]!.name)}),
  KEY \`some_index\` (${quoteName(columns[0]!.name)}(20),${quoteName(columns.at(-1)!.name)}),
  CONSTRAINT \`some_check\` CHECK (json_valid(${quoteName(columns[0]!.name)}) or 1 in (1,2))
) ENGINE=InnoDB AUTO_INCREMENT=7 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci COMMENT='a (b), c';
/*!40101 SET character_set_client = @saved_cs_client */;

LOCK TABLES ${quoted} WRITE;
/*!40000 ALTER TABLE ${quoted} DISABLE KEYS */;
`),
    )
    for (let from = 0; from < rows.length; from += rowsPerInsert) {
      const some = rows.slice(from, from + rowsPerInsert)
      parts.push(Buffer.from(`INSERT INTO ${quoted} VALUES `))
      some.forEach((row, index) => {
        const cells = row.flatMap((cell, at) => (at === 0 ? [writeCell(cell)] : [Buffer.from(','), writeCell(cell)]))
        parts.push(Buffer.from(index === 0 ? '(' : ',('), ...cells, Buffer.from(')'))
      })
      parts.push(Buffer.from(';\n'))
    }
    parts.push(Buffer.from(`/*!40000 ALTER TABLE ${quoted} ENABLE KEYS */;\nUNLOCK TABLES;\n`))
    if (withTriggers) parts.push(Buffer.from(trigger(quoted)))
  }
  parts.push(Buffer.from('\n/*!40111 SET SQL_NOTES=@OLD_SQL_NOTES */;\n\n-- Dump completed on 2026-01-31 12:00:00\n'))
  return Buffer.concat(parts)
}

const head = `-- MySQL dump 10.13  Distrib 8.0.36, for Linux (x86_64)
--
-- Host: 127.0.0.1    Database: panel
-- ------------------------------------------------------
/*!40101 SET NAMES utf8mb4 */;
/*!40014 SET @OLD_UNIQUE_CHECKS=@@UNIQUE_CHECKS, UNIQUE_CHECKS=0 */;
/*!50001 CREATE VIEW \`a_view\` AS SELECT
 1 AS \`id\` */;
`

const trigger = (table: string) => `/*!50003 SET sql_mode = 'NO_AUTO_VALUE_ON_ZERO' */ ;
DELIMITER ;;
/*!50003 CREATE*/ /*!50017 DEFINER=\`root\`@\`localhost\`*/ /*!50003 TRIGGER \`t\` BEFORE INSERT ON ${table} FOR EACH ROW
BEGIN
  INSERT INTO elsewhere VALUES ('it''s (a) row', NEW.id)
;
END */;;
DELIMITER ;
`
