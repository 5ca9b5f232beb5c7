/** The name of a browser or program, as people know it: `Firefox on Linux`. */

/** Marks of browsers; several name the ones below them, too. */
const BROWSERS = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['Firefox', 'Firefox'],
  ['FxiOS', 'Firefox'],
  ['CriOS', 'Chrome'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
] as const

const SYSTEMS = [
  ['Windows', 'Windows'],
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const

/** The whole text of a program that is no browser. */
export function browserName(client: string): string {
  const find = (marks: readonly (readonly [mark: string, name: string])[]) =>
    marks.find(([mark]) => client.includes(mark))?.[1]
  const name = find(BROWSERS)
  if (name === undefined) return client
  const system = find(SYSTEMS)
  return system === undefined ? name : `${name} on ${system}`
}
