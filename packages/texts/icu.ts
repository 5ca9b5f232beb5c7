/**
 * Texts with values, in ICU MessageFormat: `{name}`, `{count, plural, =0 {…} one {# message} other {# messages}}` with
 * `select` and `selectordinal`, and `'{'` for a brace. Types of values (`{at, date}`) are left out: callers format by `Intl`.
 * https://unicode-org.github.io/icu/userguide/format_parse/messages/
 */

export type Values = Readonly<Record<string, string | number>>

type Kind = 'plural' | 'select' | 'selectordinal'
type Parts = readonly (string | Value)[]

interface Value {
  readonly name: string
  readonly kind?: Kind | undefined
  readonly cases?: Readonly<Record<string, Parts>>
}

const TOKEN = /''|'[{}#][^']*'?|\{\s*(\w+)\s*(?:\}|,\s*(plural|select|selectordinal)\s*,)|[#}]/g
const CASE = /\s*(=?\w+)\s*\{/y

/** The parts of a text; a text that is not well formed gives some parts: `test/texts` reads all of them strictly. */
export function readText(text: string): Parts {
  let at = 0
  return readParts()

  /** Up to the brace that closes them; `counted` is the number that `#` stands for. */
  function readParts(counted?: string): Parts {
    const parts: (string | Value)[] = []
    for (;;) {
      TOKEN.lastIndex = at
      const match = TOKEN.exec(text)
      parts.push(text.slice(at, match?.index))
      if (!match) return parts
      at = TOKEN.lastIndex
      const [token, name, kind] = match
      if (token === '}') return parts
      if (name !== undefined)
        parts.push(kind === undefined ? { name } : readCases(name, kind as Kind, counted))
      else if (token !== '#') parts.push(token === "''" ? "'" : token.replaceAll("'", ''))
      else parts.push(counted === undefined ? token : { name: counted })
    }
  }

  function readCases(name: string, kind: Kind, counted: string | undefined): Value {
    const cases: Record<string, Parts> = {}
    for (;;) {
      CASE.lastIndex = at
      const match = CASE.exec(text)
      if (!match) break
      at = CASE.lastIndex
      cases[match[1] ?? ''] = readParts(kind === 'select' ? counted : name)
    }
    at = text.indexOf('}', at) + 1 || text.length
    return { name, kind, cases }
  }
}

/** Fills values in; numbers are written as the locale does. */
export function fillParts(parts: Parts, values: Values, locale: string): string {
  return parts
    .map((part) => {
      if (typeof part === 'string') return part
      const { name, kind, cases } = part
      const value = values[name] ?? ''
      if (!cases) return typeof value === 'number' ? value.toLocaleString(locale) : value
      const found = cases[kind === 'select' ? value : `=${value}`] ?? cases[ruleOf(kind, value, locale)]
      return fillParts(found ?? cases.other ?? [], values, locale)
    })
    .join('')
}

function ruleOf(kind: Kind | undefined, value: string | number, locale: string): string {
  if (kind === 'select') return 'other'
  const type = kind === 'plural' ? 'cardinal' : 'ordinal'
  return new Intl.PluralRules(locale, { type }).select(Number(value))
}
