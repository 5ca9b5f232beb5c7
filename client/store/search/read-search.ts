/** Reads searches that people typed; loaded when somebody types one. */

import { foldCase } from '../../../packages/rules/fold-case.ts'
import { currentSpelling } from '../../../packages/rules/narrows.ts'
import type { State } from '../apply.ts'
import { channelsById } from '../derived/channels.ts'
import { usersById } from '../derived/users.ts'
import { matchName } from '../composing/match-name.ts'
import { type Narrow, ofDirect, type Term, term } from '../narrows/narrow.ts'

/** A search that was read. */
export interface Search {
  readonly narrow: Narrow
  /** The day to open at, as `2026-03-31`. */
  readonly date: string | undefined
}

/** Splits at spaces outside of quotes; the quotes stay. */
export function splitSearch(text: string): string[] {
  const pieces: string[] = []
  let piece = ''
  let isQuoted = false
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted
    if (character.trim() === '' && !isQuoted) {
      if (piece !== '') pieces.push(piece)
      piece = ''
    } else piece += character
  }
  return piece === '' ? pieces : [...pieces, piece]
}

/** An operator as the server knows it, also of older spellings. */
export function operatorOf(written: string): string {
  return currentSpelling(written.toLowerCase())
}

/** Reads a search; parts that are no operator are words. */
export function readSearch(state: State, text: string): Search {
  const terms: Term[] = []
  const words: string[] = []
  let date: string | undefined
  for (const piece of splitSearch(text)) {
    const isNegated = piece.startsWith('-')
    const body = isNegated ? piece.slice(1) : piece
    const colon = body.indexOf(':')
    const operator = operatorOf(body.slice(0, Math.max(colon, 0)))
    const operand = body.slice(colon + 1).replaceAll('"', '')
    const read = operand === '' ? undefined : readTerm(state, operator, operand)
    if (operator === 'date' && isDate(operand)) date = operand
    else if (read) terms.push({ ...read, isNegated } as Term)
    else words.push(piece)
  }
  const search = words.length > 0 ? [term('search', words.join(' '))] : []
  return { narrow: [...terms, ...search], date }
}

function readTerm(state: State, operator: string, operand: string): Term | undefined {
  switch (operator) {
    case 'channel':
      return term('channel', channelIdOf(state, withoutSign(operand, '#')) ?? operand)
    case 'topic':
      return term('topic', operand)
    case 'sender': {
      const id = userIdOf(state, withoutSign(operand, '@'))
      return id === undefined ? undefined : term('sender', id)
    }
    case 'dm':
    case 'dm-including': {
      const ids = operand.split(',').map((name) => userIdOf(state, name))
      if (ids.includes(undefined)) return undefined
      return operator === 'dm' ? ofDirect(ids as number[])[0] : term('dm-including', ids as number[])
    }
    case 'near':
    case 'id':
      return /^[0-9]{1,15}$/.test(operand) ? term(operator, Number(operand)) : undefined
    case 'in':
      // As people know it from elsewhere: a place. The operator itself has two words of its own.
      return IN_WORDS.has(operand.toLowerCase())
        ? term('in', operand.toLowerCase())
        : readPlace(state, operand)
    case 'is':
    case 'has':
    case 'channels':
      return term(operator, operand.toLowerCase())
    default:
      return undefined
  }
}

const IN_WORDS: ReadonlySet<string> = new Set(['home', 'all'])

/** A channel or a person, with or without its sign. */
function readPlace(state: State, name: string): Term | undefined {
  const channelId = name.startsWith('@') ? undefined : channelIdOf(state, withoutSign(name, '#'))
  if (channelId !== undefined) return term('channel', channelId)
  const userId = name.startsWith('#') ? undefined : userIdOf(state, withoutSign(name, '@'))
  return userId === undefined ? undefined : ofDirect([userId])[0]
}

const withoutSign = (name: string, sign: string) => (name.startsWith(sign) ? name.slice(1) : name)

function channelIdOf(state: State, name: string): number | undefined {
  const wanted = foldCase(name)
  for (const [id, { channel }] of channelsById(state)) if (foldCase(channel.name) === wanted) return id
  return undefined
}

function userIdOf(state: State, name: string): number | undefined {
  const wanted = name.trim().toLowerCase()
  if (wanted === 'me') return state.user_id
  for (const [id, user] of usersById(state)) {
    if (user.full_name.toLowerCase() === wanted || user.email.toLowerCase() === wanted) return id
  }
  return onlyOneCalled(state, wanted)
}

/** The active person with a first or last name that a text is, or else begins, if there is no other one. */
function onlyOneCalled(state: State, text: string): number | undefined {
  const called = [...usersById(state).values()].filter(
    ({ is_active: isActive, full_name: name }) => isActive && (matchName(name, text) ?? 2) < 2,
  )
  const whole = called.filter(({ full_name: name }) =>
    name.split(' ').some((word) => matchName(text, word) === 0),
  )
  const [one, ...others] = whole.length > 0 ? whole : called
  return others.length === 0 ? one?.user_id : undefined
}

function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
}
