/** Names of browsers and programs, as people know them. */

/** The mark of each browser in its User-Agent; several name the ones below them, too. */
const BROWSERS = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const

const SYSTEMS = [
  ['Windows', 'Windows'],
  ['Android', 'Android'],
  ['iPhone', 'iOS'],
  ['iPad', 'iPadOS'],
  ['Mac OS X', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const

/** Characters of a program's own name. */
const NAME_LENGTH_MAX = 40

/** A browser or program without its version, which each update changes: `Firefox on Linux`. */
export function describeClient(userAgent: string): string {
  const find = (marks: readonly (readonly [mark: string, name: string])[]) =>
    marks.find(([mark]) => userAgent.includes(mark))?.[1]
  const name =
    find(BROWSERS) ?? /^[A-Za-z][A-Za-z0-9 _-]*/.exec(userAgent)?.[0].slice(0, NAME_LENGTH_MAX).trim()
  const system = find(SYSTEMS)
  if (name === undefined) return 'an unknown program'
  return system === undefined ? name : `${name} on ${system}`
}
