/** Finds users' alert words in a text in one pass, however many words there are. */

import { foldCase } from '../../../packages/rules/fold-case.ts'
import type { UserId } from '../ids.ts'
import { mapOver } from '../overlay-map.ts'

/** A word of letters and digits, or one other character: the unit of comparison. */
const TOKEN = /[\p{L}\p{N}_][\p{L}\p{N}\p{M}_]*|\S/gu

/** Tokens in order; a token after the first begins with a space if a space separates it from the one before. */
function tokenize(text: string): string[] {
  let end = 0
  const folded = foldCase(text).replaceAll('ς', 'σ') // A final sigma is the same letter in capitals.
  return Array.from(folded.matchAll(TOKEN), ({ 0: token, index }) => {
    const isApart = end > 0 && index > end
    end = index + token.length
    return isApart ? ` ${token}` : token
  })
}

/** Tokens in a word, which may be a phrase: a search looks ahead this far from each token of a text. */
export function countTokens(word: string): number {
  return tokenize(word).length
}

/** Two words with the same key match the same texts. */
export function wordKey(word: string): string {
  return tokenize(word).join('')
}

interface Branch {
  readonly next: Map<string, Branch>
  /** Users with a word that ends here. */
  readonly userIds: Set<UserId>
}

/** All users' words, as a tree by their tokens. Matches ignore case and cover whole words. */
export class AlertIndex {
  /** Undefined in an overlay until the first search. */
  #root: Branch | undefined
  readonly #words: Map<UserId, readonly string[]>
  #version: number

  /** An empty index, or an overlay that starts as a copy of its base and never changes it. */
  constructor(base?: AlertIndex) {
    this.#words = base ? mapOver(base.#words) : new Map()
    this.#version = base?.version ?? 0
    if (!base) this.#root = newBranch()
  }

  /** Changes with each change of the index. */
  get version(): number {
    return this.#version
  }

  get isEmpty(): boolean {
    return this.#words.size === 0
  }

  /** A user's words, as the user gave them. */
  wordsOf(userId: UserId): readonly string[] {
    return this.#words.get(userId) ?? []
  }

  /** All words, by user. */
  get words(): ReadonlyMap<UserId, readonly string[]> {
    return this.#words
  }

  /** Replaces a user's words. */
  place(userId: UserId, words: readonly string[]): void {
    this.#version++
    if (this.#root) {
      for (const word of this.wordsOf(userId)) remove(this.#root, tokenize(word), 0, userId)
      add(this.#root, words, userId)
    }
    if (words.length > 0) this.#words.set(userId, words)
    else this.#words.delete(userId)
  }

  /** Users with a word in a text, ascending. */
  find(text: string): readonly UserId[] {
    if (this.isEmpty) return NOBODY
    const root = (this.#root ??= this.#build())
    const tokens = tokenize(text)
    const ends = new Set<Branch>()
    for (const [start, token] of tokens.entries()) {
      let branch = root.next.get(token.startsWith(' ') ? token.slice(1) : token)
      for (let index = start + 1; branch; index++) {
        if (branch.userIds.size > 0) ends.add(branch)
        const following = tokens[index]
        branch = following === undefined ? undefined : branch.next.get(following)
      }
    }
    if (ends.size === 0) return NOBODY
    return [...new Set([...ends].flatMap(({ userIds }) => [...userIds]))].sort((a, b) => a - b)
  }

  #build(): Branch {
    const root = newBranch()
    for (const [userId, words] of this.#words) add(root, words, userId)
    return root
  }
}

const NOBODY: readonly UserId[] = []

function newBranch(): Branch {
  return { next: new Map(), userIds: new Set() }
}

function add(root: Branch, words: readonly string[], userId: UserId): void {
  for (const word of words) {
    let branch = root
    for (const token of tokenize(word)) {
      let next = branch.next.get(token)
      if (!next) branch.next.set(token, (next = newBranch()))
      branch = next
    }
    branch.userIds.add(userId)
  }
}

/** Removes a user's word from the tree, and the branches that only it needed. */
function remove(branch: Branch, tokens: readonly string[], depth: number, userId: UserId): void {
  const token = tokens[depth]
  if (token === undefined) {
    branch.userIds.delete(userId)
    return
  }
  const next = branch.next.get(token)
  if (!next) return
  remove(next, tokens, depth + 1, userId)
  if (next.next.size === 0 && next.userIds.size === 0) branch.next.delete(token)
}

/** Users with words in a text, as of a version of the index. */
export interface Alerted {
  readonly content: string
  readonly version: number
  readonly userIds: readonly UserId[]
}

/** Finds all users' words in a text. */
export function findAlerted(content: string, index: AlertIndex): Alerted {
  return { content, version: index.version, userIds: index.find(content) }
}

/** The users found; searches again if any user's words have changed since. */
export function refreshAlerted({ content, version, userIds }: Alerted, index: AlertIndex): readonly UserId[] {
  return version === index.version ? userIds : index.find(content)
}
