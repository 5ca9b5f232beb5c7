/**
 * Filters and paths of SCIM (RFC 7644, 3.4.2.2 and 3.5.2), as far as providers send them: comparisons by `eq`, joined by
 * `and` and `or`. They are compared here, and never reach a pattern or SQL text.
 */

import { isObject, type JsonObject, listOf, readBoolean } from './attributes.ts'
import { refuse, type ScimType } from './scim-error.ts'

/** A comparison of an attribute, such as `emails.value` in lower case; or two filters. One of a foreign schema has its name before it. */
export type Filter =
  | { readonly kind: 'eq'; readonly path: string; readonly value: string | boolean }
  | { readonly kind: 'and' | 'or'; readonly left: Filter; readonly right: Filter }

/** A path such as `emails[type eq "work"].value`; names are in lower case. */
export interface AttributePath {
  readonly attribute: string
  readonly filter: Filter | undefined
  readonly part: string | undefined
}

/** Characters of a filter or a path. */
const LENGTH_MAX = 2_000
/** Comparisons of a filter: providers send up to two. */
const COMPARISONS_MAX = 20
/** Schemas before the name of an attribute. */
const SCHEMA = /urn:[A-Za-z0-9:._-]*:(?=[A-Za-z])/iy
/** Those of users and groups; attributes of all others are foreign. */
const CORE_SCHEMA = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/i
const NAME = /[A-Za-z$][A-Za-z0-9_$-]*/y
const STRING = /"(?:[^"\\]|\\.)*"/y
const WORD = /[A-Za-z]+/y
const OTHER_OPERATORS: readonly string[] = ['ne', 'co', 'sw', 'ew', 'pr', 'gt', 'ge', 'lt', 'le']

/** Reads a filter; throws a `ScimError`. */
export function parseFilter(text: string): Filter {
  const reader = new Reader(text, 'invalidFilter')
  const filter = reader.readFilter()
  reader.end()
  return filter
}

/** Reads the path of a change; throws a `ScimError`. */
export function parsePath(text: string): AttributePath {
  const reader = new Reader(text, 'invalidPath')
  const path = reader.readPath()
  reader.end()
  return path
}

/** Whether a path names a schema that is neither that of users nor that of groups. */
export function isForeign(path: string): boolean {
  return /^urn:/i.test(path) && !CORE_SCHEMA.test(path)
}

/** The values that a filter compares with, in its order. */
export function valuesOf(filter: Filter): readonly (string | boolean)[] {
  return filter.kind === 'eq' ? [filter.value] : [...valuesOf(filter.left), ...valuesOf(filter.right)]
}

class Reader {
  readonly #text: string
  readonly #fault: ScimType
  #at = 0
  #comparisons = 0

  constructor(text: string, fault: ScimType) {
    this.#text = text
    this.#fault = fault
    if (text.length > LENGTH_MAX) throw this.#refuse(`has more than ${LENGTH_MAX} characters`)
  }

  end(): void {
    this.#skipSpaces()
    if (this.#at < this.#text.length) throw this.#refuse('goes on after its end')
  }

  readFilter(): Filter {
    let filter = this.#readAll()
    while (this.#takeWord('or')) filter = { kind: 'or', left: filter, right: this.#readAll() }
    return filter
  }

  #readAll(): Filter {
    let filter = this.#readOne()
    while (this.#takeWord('and')) filter = { kind: 'and', left: filter, right: this.#readOne() }
    return filter
  }

  #readOne(): Filter {
    if (++this.#comparisons > COMPARISONS_MAX)
      throw this.#refuse(`has more than ${COMPARISONS_MAX} comparisons`)
    if (this.#take('(')) {
      const filter = this.readFilter()
      if (!this.#take(')')) throw this.#refuse('lacks a closing parenthesis')
      return filter
    }
    const { attribute, filter, part } = this.readPath()
    const operator = this.#match(WORD)?.toLowerCase()
    if (operator !== 'eq')
      throw this.#refuse(
        operator !== undefined && OTHER_OPERATORS.includes(operator)
          ? `may compare by eq, not by ${operator}`
          : 'must compare attributes by eq',
      )
    const path = part === undefined ? attribute : `${attribute}.${part}`
    const comparison = { kind: 'eq', path, value: this.#readValue() } as const
    if (!filter) return comparison
    return { kind: 'and', left: within(attribute, filter), right: comparison }
  }

  readPath(): AttributePath {
    const schema = this.#match(SCHEMA) ?? ''
    const attribute = `${CORE_SCHEMA.test(schema) ? '' : schema.toLowerCase()}${this.#readName()}`
    let filter: Filter | undefined
    if (this.#take('[')) {
      filter = this.readFilter()
      if (!this.#take(']')) throw this.#refuse('lacks a closing bracket')
    }
    const part = this.#text[this.#at] === '.' ? (this.#at++, this.#readName()) : undefined
    return { attribute, filter, part }
  }

  #readName(): string {
    const name = this.#match(NAME)
    if (name === undefined) throw this.#refuse('lacks the name of an attribute')
    return name.toLowerCase()
  }

  #readValue(): string | boolean {
    const text = this.#match(STRING)
    if (text !== undefined) return this.#readText(text)
    const value = readBoolean(this.#match(WORD))
    if (value === undefined) throw this.#refuse('must compare with a text in quotation marks, true or false')
    return value
  }

  #readText(quoted: string): string {
    let text: string
    try {
      text = JSON.parse(quoted) as string
    } catch {
      throw this.#refuse('has a text with an invalid escape')
    }
    // Databases know neither of them, so that no value has them.
    if (text.includes('\0') || !text.isWellFormed())
      throw this.#refuse('has a text with NUL or half a character')
    return text
  }

  #skipSpaces(): void {
    while (this.#text[this.#at] === ' ') this.#at++
  }

  #take(letter: string): boolean {
    this.#skipSpaces()
    if (this.#text[this.#at] !== letter) return false
    this.#at++
    return true
  }

  #takeWord(word: string): boolean {
    const before = this.#at
    if (this.#match(WORD)?.toLowerCase() === word) return true
    this.#at = before
    return false
  }

  #match(pattern: RegExp): string | undefined {
    this.#skipSpaces()
    pattern.lastIndex = this.#at
    const [found] = pattern.exec(this.#text) ?? []
    if (found !== undefined) this.#at += found.length
    return found
  }

  #refuse(problem: string) {
    return refuse(this.#fault, `The ${this.#fault === 'invalidPath' ? 'path' : 'filter'} ${problem}.`)
  }
}

/** A filter of the values of an attribute, as one of the resource. */
function within(attribute: string, filter: Filter): Filter {
  return filter.kind === 'eq'
    ? { ...filter, path: `${attribute}.${filter.path}` }
    : { ...filter, left: within(attribute, filter.left), right: within(attribute, filter.right) }
}

/** How values of a filterable attribute are compared; undefined for others. */
export type Compared = Readonly<Record<string, 'exact' | 'any case' | undefined>>

/** Whether each attribute of a filter can be compared. */
export function canCompare(filter: Filter, compared: Compared): boolean {
  if (filter.kind === 'eq') return Object.hasOwn(compared, filter.path)
  return canCompare(filter.left, compared) && canCompare(filter.right, compared)
}

/** Whether a resource matches; attributes that nobody named are compared exactly. */
export function matches(filter: Filter, resource: JsonObject, compared: Compared = {}): boolean {
  if (filter.kind !== 'eq') {
    const isLeft = matches(filter.left, resource, compared)
    if (isLeft === (filter.kind === 'or')) return isLeft
    return matches(filter.right, resource, compared)
  }
  const { path, value } = filter
  const [attribute = '', part = 'value'] = path.split('.')
  return listOf(resource, attribute)
    .flatMap((one) => (isObject(one) ? listOf(one, part) : [one]))
    .some((one) => isSame(one, value, compared[path] === 'any case'))
}

/** Truth values may be texts on either side. */
function isSame(value: unknown, wanted: string | boolean, ignoresCase: boolean): boolean {
  if (typeof value === 'boolean' || typeof wanted === 'boolean')
    return readBoolean(value) === readBoolean(wanted)
  if (typeof value !== 'string') return false
  return ignoresCase ? value.toLowerCase() === wanted.toLowerCase() : value === wanted
}
