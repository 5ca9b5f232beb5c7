/** Channels, topics, emoji and commands that complete a word. */

import type { State } from '../apply.ts'
import { channelsById } from '../derived/channels.ts'
import type { Emoji } from '../emoji/emoji.ts'
import { searchEmoji } from '../emoji/search-emoji.ts'
import { matchName } from './match-name.ts'
import { best, type Suggestion, SUGGESTIONS_MAX } from './suggestion.ts'
import { t } from '../../texts/texts.ts'

/** Characters of a channel's name that the syntax of channel links takes for its own. */
const HARD = /[*`>]/

/** A channel link; an ordinary link if the name does not fit the syntax. */
function writeChannelLink(id: number, name: string): string {
  if (!HARD.test(name)) return `#**${name}**`
  const text = name.replaceAll(/[!-/:-@[-`{-~]/g, (character) => `&#${character.charCodeAt(0)};`)
  return `[#${text}](/#narrow/channel/${id})`
}

/** Subscribed channels come first. */
export function suggestChannels(state: State, query: string): readonly Suggestion[] {
  const channels = [...channelsById(state).values()].filter(({ channel: { is_archived } }) => !is_archived)
  const rankOf = ({ channel, subscription }: (typeof channels)[number]) => {
    const rank = matchName(channel.name, query)
    return rank === undefined ? undefined : rank * 2 + (subscription ? 0 : 1)
  }
  return best(channels, rankOf).map(({ channel: { stream_id: channelId, name, description } }) => ({
    key: `channel ${channelId}`,
    label: name,
    detail: description,
    insert: `${writeChannelLink(channelId, name)} `,
    mark: { kind: 'channel', channelId },
  }))
}

/** The id of a channel by its name. */
export function findChannelId(state: State, name: string): number | undefined {
  const lower = name.toLowerCase()
  for (const [id, { channel }] of channelsById(state)) if (channel.name.toLowerCase() === lower) return id
  return undefined
}

/** Topics of a channel, the newest first. */
export function suggestTopics(
  channel: string,
  topics: readonly string[],
  query: string,
): readonly Suggestion[] {
  const fitting = topics.filter((topic) => topic !== '' && !/[*\n]/.test(topic))
  return best(fitting, (topic) => matchName(topic, query)).map((topic) => ({
    key: `topic ${topic}`,
    label: topic,
    detail: channel,
    insert: `#**${channel}>${topic}** `,
    mark: { kind: 'topic' },
  }))
}

export function suggestEmoji(emoji: readonly Emoji[], query: string): readonly Suggestion[] {
  return searchEmoji(emoji, query, SUGGESTIONS_MAX).map((one) => ({
    key: `emoji ${one.type} ${one.code}`,
    label: `:${one.names[0]}:`,
    detail: one.names.slice(1).join(', ').replaceAll('_', ' '),
    insert: `:${one.names[0]}: `,
    mark: { kind: 'emoji', emoji: one },
  }))
}

const COMMANDS = [
  { word: 'poll', detail: t('Create a poll') },
  { word: 'todo', detail: t('Create a to-do list') },
  { word: 'me', detail: t('Describe what you’re doing') },
] as const

export function suggestCommands(query: string): readonly Suggestion[] {
  return COMMANDS.filter(({ word }) => word.startsWith(query)).map(({ word, detail }) => ({
    key: `command ${word}`,
    label: `/${word}`,
    detail,
    insert: `/${word} `,
    mark: { kind: 'command' },
  }))
}
