/** The mentions in a text that is being written: people, groups and channels, as the server reads them. */

import { foldCase } from '../../../packages/rules/fold-case.ts'
import type { State } from '../apply.ts'
import { channelsById } from '../derived/channels.ts'
import { derive } from '../derived/derive.ts'
import { usersById } from '../derived/users.ts'
import { blankCode } from './blank-code.ts'

/** A piece of the text, in order; all pieces together are the text. */
export interface TextPiece {
  readonly text: string
  readonly isMention: boolean
}

/** Written names: `@**Name**`, `@_**Name|7**`, `@*group*`, `#**channel**` and `#**channel>topic**`. */
const MENTION = /@_?\*\*([^*\n]{1,120})\*\*|@_?\*([^*\n]{1,120})\*|#\*\*([^*\n]{1,200})\*\*/g
/** Names that stand for all people of a channel or conversation. */
export const ALL_PEOPLE = ['all', 'everyone', 'channel', 'stream']
/** In longer texts the pieces would take longer than a key press may. */
const LENGTH_MAX = 20_000

/** Splits a text at mentions of somebody or something that the reader knows; other names stay plain, and those in code. */
export function findMentions(state: State, text: string): TextPiece[] {
  if (text.length > LENGTH_MAX || !text.includes('*')) return [{ text, isMention: false }]
  const pieces: TextPiece[] = []
  let end = 0
  for (const { 0: written, 1: person, 2: group, 3: channel, index } of blankCode(text, {
    hasQuotes: true,
  }).matchAll(MENTION)) {
    if (!isKnown(state, { person, group, channel })) continue
    if (index > end) pieces.push({ text: text.slice(end, index), isMention: false })
    pieces.push({ text: written, isMention: true })
    end = index + written.length
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isMention: false })
  return pieces
}

interface Written {
  readonly person: string | undefined
  readonly group: string | undefined
  readonly channel: string | undefined
}

function isKnown(state: State, { person, group, channel }: Written): boolean {
  const names = knownNames(state)
  if (person !== undefined) return names.people.has(foldCase(person.replace(/\|\d+$/, '')))
  if (group !== undefined) return names.groups.has(foldCase(group))
  return names.channels.has(foldCase((channel ?? '').split('>')[0] ?? ''))
}

const knownNames = derive(
  (state) => [usersById(state), state.realm_user_groups, channelsById(state)],
  ([users, groups = [], channels]) => ({
    people: namesOf([...ALL_PEOPLE, 'topic', ...[...users.values()].map(({ full_name: name }) => name)]),
    groups: namesOf(groups.map(({ name }) => name)),
    channels: namesOf([...channels.values()].map(({ channel }) => channel.name)),
  }),
)

function namesOf(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map(foldCase))
}
