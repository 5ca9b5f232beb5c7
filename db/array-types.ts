/**
 * The array types that statements use, by their fixed numbers in PostgreSQL.
 *
 * postgres.js would ask each new connection for them. A connection that is lost meanwhile ends the
 * process there: nobody handles that query's failure.
 */

type Item = string | number

/** One array type: how its values are written and read. */
function arrayType(oid: number, parseItem: (text: string) => Item) {
  return {
    to: oid,
    from: [oid],
    serialize: (items: readonly Item[]) => `{${items.map(quote).join(',')}}`,
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

function quote(item: Item): string {
  return typeof item === 'number' ? String(item) : `"${item.replaceAll(/["\\]/g, '\\$&')}"`
}

/** Reads `{1,2}` or `{a,"b,\"c\""}`; the columns hold no null items and one dimension. */
function parse(text: string, parseItem: (text: string) => Item): Item[] {
  const items = text.matchAll(/"((?:[^"\\]|\\.)*)"|[^",{}]+/gs)
  return [...items].map(([whole, quoted]) => parseItem(quoted?.replaceAll(/\\(.)/gs, '$1') ?? whole))
}
