/**
 * The array types in statements, by their fixed OIDs in PostgreSQL.
 *
 * postgres.js would query each new connection for them. If the connection is lost meanwhile, the process ends, because
 * nothing handles that query's failure.
 */

type Item = string | number

/** Serializes and parses one array type. */
function arrayType(oid: number, parseItem: (text: string) => Item) {
  return {
    to: oid,
    from: [oid],
    serialize: (items: readonly (Item | null)[]) => `{${items.map(quote).join(',')}}`,
    parse: (text: string) => parse(text, parseItem),
  }
}

export const ARRAY_TYPES = {
  integers: arrayType(1007, Number),
  bigints: arrayType(1016, Number),
  texts: arrayType(1009, String),
  uuids: arrayType(2951, String),
  timestamps: arrayType(1185, String),
}

function quote(item: Item | null): string {
  if (item === null) return 'null'
  return typeof item === 'number' ? String(item) : `"${item.replaceAll(/["\\]/g, '\\$&')}"`
}

/** Parses `{1,2}` or `{a,"b,\"c\""}`; the columns have one dimension and no null items. */
function parse(text: string, parseItem: (text: string) => Item): Item[] {
  const items = text.matchAll(/"((?:[^"\\]|\\.)*)"|[^",{}]+/gs)
  return [...items].map(([whole, quoted]) => parseItem(quoted?.replaceAll(/\\(.)/gs, '$1') ?? whole))
}
