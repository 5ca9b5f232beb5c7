/** Compiles linkifiers: a pattern that runs in linear time, and a template for its link. */

import { createRequire } from 'node:module'
import { LRUCache } from 'lru-cache'
import type { RE2JS } from 're2js'
import { parseTemplate } from 'url-template'
import { derived, lazy } from '../../../server/domain/messages/derived.ts'
import type { Linkifier } from './snapshot.ts'

/** A compiled linkifier. */
export interface CompiledLinkifier {
  /** Matches one character before, the text of the link as our first group, and one character after. */
  readonly pattern: RE2JS
  /** A text that every match contains, or empty: it excludes most messages without running the pattern. */
  readonly literal: string
  readonly expand: (groups: Readonly<Record<string, string>>) => string
}

/** Compiled linkifiers cached in one thread: more than an organization has. */
const CACHED_MAX = 500
const cache = new LRUCache<string, { readonly compiled: CompiledLinkifier | undefined }>({ max: CACHED_MAX })

/** Compiles linkifiers in order, without invalid ones; a server passes the same list for many texts. */
export const compileLinkifiers = derived((linkifiers: readonly Linkifier[]): readonly CompiledLinkifier[] =>
  linkifiers.map(compileCached).filter((one) => one !== undefined),
)

/** In a thread, each list is a separate copy: there, the cache key is the text. */
function compileCached(linkifier: Linkifier): CompiledLinkifier | undefined {
  const key = `${linkifier.pattern}\n${linkifier.urlTemplate}`
  let cached = cache.get(key)
  if (!cached) cache.set(key, (cached = { compiled: compile(linkifier) }))
  return cached.compiled
}

/** The group with the link's text; a pattern's own groups may have any other name. */
export const LINK_GROUP = 'parley_link'

/** Loaded with the first linkifier: it is large, and an organization may have none. */
export const regexEngine = lazy(() => createRequire(import.meta.url)('re2js') as typeof import('re2js'))

/** Compiles a pattern with the required context of its matches; throws if it is invalid. */
export function compilePattern(pattern: string): RE2JS {
  // A link follows a space or an opening character, and no letter or digit follows it.
  return regexEngine().RE2JS.compile(`(?:^|[\\s\\pZ'"(,:<])(?P<${LINK_GROUP}>${pattern})(?:$|[^\\pL\\pN])`)
}

function compile({ pattern, urlTemplate }: Linkifier): CompiledLinkifier | undefined {
  try {
    const template = parseTemplate(urlTemplate)
    return {
      pattern: compilePattern(pattern),
      literal: findLiteral(pattern),
      expand: (groups) => template.expand(groups),
    }
  } catch {
    return undefined // An invalid linkifier creates no links; creating one fails.
  }
}

/**
 * The longest run of plain characters in every match of a pattern. Counts only characters outside groups and classes
 * that are not repeated; none if the pattern has alternatives or flags there.
 */
export function findLiteral(pattern: string): string {
  let longest = ''
  let run = ''
  const endRun = () => {
    if (run.length > longest.length) longest = run
    run = ''
  }
  let index = 0
  while (index < pattern.length) {
    const character = pattern[index] as string
    if (character === '|') return ''
    if (character === '(') {
      if (pattern.startsWith('(?', index) && !/^\(\?P?[<:]/.test(pattern.slice(index, index + 4))) return ''
      endRun()
      index = skipGroup(pattern, index)
    } else if (character === '[') {
      endRun()
      index = skipClass(pattern, index)
    } else if ('*?{'.includes(character)) {
      run = run.slice(0, -1) // The character before it may be absent.
      endRun()
      index = character === '{' ? pattern.indexOf('}', index) + 1 || pattern.length : index + 1
    } else if ('+.^$)'.includes(character)) {
      endRun()
      index++
    } else if (character === '\\') {
      const escaped = pattern[index + 1] ?? ''
      if (/[\p{L}\p{N}]/u.test(escaped)) {
        if (/[QpPx0-9]/.test(escaped)) return '' // These escapes are longer than one character.
        endRun()
      } else run += escaped
      index += 2
    } else {
      run += character
      index++
    }
  }
  endRun()
  // A surrogate pair may have been cut in half.
  return longest.isWellFormed() ? longest : ''
}

function skipGroup(pattern: string, start: number): number {
  let depth = 0
  let index = start
  while (index < pattern.length) {
    const character = pattern[index]
    if (character === '[') {
      index = skipClass(pattern, index)
      continue
    }
    if (character === '\\') index++
    if (character === '(') depth++
    if (character === ')' && --depth === 0) return index + 1
    index++
  }
  return index
}

function skipClass(pattern: string, start: number): number {
  let index = start + (pattern[start + 1] === '^' ? 2 : 1)
  if (pattern[index] === ']') index++ // Right after the opening bracket it is a literal.
  while (index < pattern.length && pattern[index] !== ']') {
    if (pattern[index] === '\\') index++
    else if (pattern.startsWith('[:', index)) index = Math.max(index, pattern.indexOf(':]', index) + 1)
    index++
  }
  return index + 1
}
