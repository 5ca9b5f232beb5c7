/** Suggestions for a search that is being typed. */

import type { State } from '../apply.ts'
import { channelsById } from '../derived/channels.ts'
import { findUsers } from '../derived/find-users.ts'
import { isVisitor } from '../derived/visitor.ts'
import { type Narrow, ofChannel, ofDirect, ofTopic } from '../narrows/narrow.ts'
import { operatorOf, splitSearch } from './read-search.ts'
import { withOperand } from './write-search.ts'
import { t } from '../../texts/texts.ts'

export interface Suggestion {
  /** Unique among the suggestions of one text. */
  readonly key: string
  readonly kind: 'operator' | 'value' | 'channel' | 'person' | 'topic' | 'recent'
  readonly label: string
  readonly detail: string
  /** The text of the search after it was chosen. */
  readonly text: string
  /** The place that it leads to at once. */
  readonly narrow?: Narrow
}

/** A topic that the client has heard of. */
export interface SeenTopic {
  readonly channelId: number
  readonly topic: string
}

export interface SuggestionSources {
  readonly recent: readonly string[]
  /** Newest first. */
  readonly topics: readonly SeenTopic[]
  /** Today, as `2026-03-31`. */
  readonly today: string
}

/** Suggestions in all, and of one kind. */
const SHOWN_MAX = 12
const EACH_MAX = 4

const OPERATORS: readonly (readonly [operator: string, meaning: string])[] = [
  ['channel:', t('Messages in a channel')],
  ['topic:', t('Messages in a topic')],
  ['sender:', t('Messages from a person')],
  ['from:', t('Messages from a person')],
  ['in:', t('Messages in a channel, or with a person')],
  ['dm:', t('Direct messages with people')],
  ['dm-including:', t('Direct messages that include a person')],
  ['is:', t('Messages that are starred, unread, …')],
  ['has:', t('Messages with links, pictures, files, reactions')],
  ['date:', t('From a date on, such as 2026-03-31')],
  ['channels:', t('Messages in all public channels')],
  ['near:', t('Around the message with an ID')],
]

/** Visitors search in public channels alone, and have no list of people. */
const FOR_VISITORS: ReadonlySet<string> = new Set(['channel:', 'in:', 'topic:', 'has:', 'date:'])

/** Operands with their meaning, of operators that take few. */
const VALUES: ReadonlyMap<string, readonly (readonly [value: string, meaning: string])[]> = new Map(
  Object.entries({
    is: [
      ['starred', t('Starred messages')],
      ['unread', t('Unread messages')],
      ['mentioned', t('Messages that mention you')],
      ['dm', t('Direct messages')],
      ['alerted', t('Messages with your alert words')],
      ['followed', t('Messages in topics you follow')],
      ['resolved', t('Messages in resolved topics')],
      ['muted', t('Messages in muted channels and topics')],
    ],
    has: [
      ['link', t('With a link')],
      ['image', t('With a picture')],
      ['attachment', t('With a file')],
      ['reaction', t('With a reaction')],
    ],
    channels: [
      ['public', t('All public channels, joined or not')],
      ['archived', t('Archived channels')],
    ],
    in: [
      ['home', t('Without muted channels and topics')],
      ['all', t('With muted channels and topics')],
    ],
  }),
)

/** Suggestions for the end of a text, the best first. */
export function suggestSearch(state: State, text: string, sources: SuggestionSources): readonly Suggestion[] {
  const pieces = splitSearch(text)
  // A space inside of quotes goes on with the same piece.
  const isBetween = /(^|\s)$/.test(text) && text.split('"').length % 2 === 1
  const last = isBetween ? '' : (pieces.at(-1) ?? '')
  const before = text.slice(0, text.length - last.length)
  const isNegated = last.startsWith('-')
  const start = isNegated ? `${before}-` : before
  const body = isNegated ? last.slice(1) : last
  const colon = body.indexOf(':')
  if (colon >= 0) {
    const operand = body.slice(colon + 1).replaceAll('"', '')
    return suggestOperands(state, { start, operator: body.slice(0, colon), operand, sources }).slice(
      0,
      SHOWN_MAX,
    )
  }
  const recent = sources.recent
    .filter((one) => text === '' || one.toLowerCase().startsWith(text.toLowerCase()))
    .map((one) => ({
      key: `recent ${one}`,
      kind: 'recent' as const,
      label: one,
      detail: t('Recent search'),
      text: one,
    }))
  const isPlace = before === '' && body !== '' && !isNegated
  const places = isPlace ? suggestPlaces(state, body, sources) : []
  const known = isVisitor(state) ? OPERATORS.filter(([operator]) => FOR_VISITORS.has(operator)) : OPERATORS
  const operators = known
    .filter(([operator]) => operator.startsWith(body.toLowerCase()))
    .map(
      ([operator, meaning]): Suggestion => ({
        key: operator,
        kind: 'operator',
        label: operator,
        detail: meaning,
        text: start + operator,
      }),
    )
  return [...recent.slice(0, EACH_MAX), ...places, ...operators].slice(0, SHOWN_MAX)
}

interface OperandQuery {
  readonly start: string
  readonly operator: string
  readonly operand: string
  readonly sources: SuggestionSources
}

function suggestOperands(state: State, query: OperandQuery): Suggestion[] {
  const { start, operand, sources } = query
  const operator = operatorOf(query.operator)
  const wanted = operand.toLowerCase()
  // It stays as people know it.
  const isFrom = query.operator.toLowerCase() === 'from'
  const value = (name: string, detail: string): Suggestion => {
    const text = withOperand(isFrom ? 'from' : operator, name)
    return { key: text, kind: 'value', label: text, detail, text: `${start}${text} ` }
  }
  switch (operator) {
    case 'channel':
      return findChannels(state, wanted).map(({ name, description }) => value(name, description))
    case 'in': {
      const channels = findChannels(state, wanted.startsWith('#') ? wanted.slice(1) : wanted)
      const words = (VALUES.get('in') ?? []).filter(([name]) => name.startsWith(wanted))
      return [
        ...channels.map(({ name, description }) => value(name, description)),
        ...words.map(([name, meaning]) => value(name, meaning)),
      ]
    }
    case 'topic': {
      const found = sources.topics.filter(({ topic }) => topic.toLowerCase().includes(wanted))
      const names = new Map(found.map(({ topic, channelId }) => [topic, channelId]))
      return [...names].map(([topic, id]) => value(topic, channelsById(state).get(id)?.channel.name ?? ''))
    }
    case 'sender':
    case 'dm':
    case 'dm-including': {
      const names = operand.split(',')
      const others = names.slice(0, -1)
      const people = findUsers(state, names.at(-1) ?? '', SHOWN_MAX)
      const own =
        operator === 'sender' && 'me'.startsWith(wanted) ? [value('me', t('Your own messages'))] : []
      return [
        ...own,
        ...people.map((user) => value([...others, user.full_name].join(','), user.delivery_email ?? '')),
      ]
    }
    case 'date':
      return [sources.today, dayBefore(sources.today, 1), dayBefore(sources.today, 7)]
        .filter((day) => day.startsWith(wanted))
        .map((day, index) =>
          value(day, [t('Today'), t('Since yesterday'), t('Since a week ago')][index] ?? ''),
        )
    default:
      return (VALUES.get(operator) ?? [])
        .filter(([name]) => name.startsWith(wanted))
        .map(([name, meaning]) => value(name, meaning))
  }
}

/** Channels, people and topics with the word in their names: they are opened at once. */
function suggestPlaces(state: State, word: string, { topics }: SuggestionSources): Suggestion[] {
  const channels = findChannels(state, word.toLowerCase()).map(
    ({ stream_id: id, name }): Suggestion => ({
      key: `channel ${id}`,
      kind: 'channel',
      label: name,
      detail: t('Channel'),
      text: withOperand('channel', name),
      narrow: ofChannel(id),
    }),
  )
  const people = findUsers(state, word, EACH_MAX).map(
    ({ user_id: id, full_name: name }): Suggestion => ({
      key: `person ${id}`,
      kind: 'person',
      label: name,
      detail: t('Direct messages'),
      text: withOperand('dm', name),
      narrow: ofDirect(id === state.user_id ? [] : [id]),
    }),
  )
  const found = topics
    .filter(({ topic }) => topic.toLowerCase().includes(word.toLowerCase()))
    .map(
      ({ channelId, topic }): Suggestion => ({
        key: `topic ${channelId} ${topic}`,
        kind: 'topic',
        label: topic,
        detail: channelsById(state).get(channelId)?.channel.name ?? '',
        text: withOperand('topic', topic),
        narrow: ofTopic(channelId, topic),
      }),
    )
  return [...channels.slice(0, EACH_MAX), ...people, ...found.slice(0, EACH_MAX)]
}

/** Channels with a part in their name; those that begin with it first. */
function findChannels(state: State, part: string) {
  const rank = (name: string) => (name.toLowerCase().startsWith(part) ? 0 : 1)
  return [...channelsById(state).values()]
    .filter(({ channel }) => !channel.is_archived && channel.name.toLowerCase().includes(part))
    .sort(
      (a, b) =>
        rank(a.channel.name) - rank(b.channel.name) ||
        Number(b.subscription !== undefined) - Number(a.subscription !== undefined) ||
        a.channel.name.localeCompare(b.channel.name),
    )
    .slice(0, SHOWN_MAX)
    .map(({ channel }) => channel)
}

function dayBefore(day: string, days: number): string {
  const date = new Date(`${day}T12:00:00Z`)
  date.setUTCDate(date.getUTCDate() - days)
  return date.toISOString().slice(0, 10)
}
