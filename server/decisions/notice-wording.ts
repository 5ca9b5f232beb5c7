/** The Markdown of notices. Users choose the names and texts in them, so each is escaped. */

import type { Channel, User } from '../domain/entities.ts'
import type { ChannelId, UserId } from '../domain/ids.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { type ServerTexts, textsIn } from '../texts/texts.ts'
import { countCodePoints } from '../../packages/rules/count-code-points.ts'
import { topicDisplayName } from '../../packages/rules/topics.ts'

/** Names in one list: each has at most 60 characters, or six times as many with escapes, and a message has 10,000. */
const LISTED_MAX = 25

/** Characters that would end the syntax around a name, or start another within it. */
const UNSAFE_IN_MENTION = /[*`|[\]<>\\\p{Cc}]/u
const UNSAFE_IN_CHANNEL_LINK = /[*`>|[\]<\\&$\p{Cc}]/u
/** The same, and the one that would make it a link to a message. */
const UNSAFE_IN_TOPIC_LINK = /[*`>|[\]<\\&$@\p{Cc}]/u

/** A user by name, without a notification; by id alone if the name does not fit the syntax. */
export function mentionUser({ id, fullName }: Pick<User, 'id' | 'fullName'>): string {
  return `@_**${UNSAFE_IN_MENTION.test(fullName) ? '' : fullName}|${id}**`
}

/** A channel by name; a plain link if the name does not fit the syntax. */
export function linkChannel({ id, name }: { readonly id: ChannelId; readonly name: string }): string {
  if (!UNSAFE_IN_CHANNEL_LINK.test(name)) return `#**${name}**`
  return `[#${escape(name)}](/#narrow/channel/${id})`
}

/** A topic with its channel, likewise. */
export function linkTopic(
  { id, name }: { readonly id: ChannelId; readonly name: string },
  topic: string,
): string {
  if (!UNSAFE_IN_CHANNEL_LINK.test(name) && !UNSAFE_IN_TOPIC_LINK.test(topic)) return `#**${name}>${topic}**`
  return `[#${escape(`${name} > ${topicDisplayName(topic)}`)}](/#narrow/channel/${id})`
}

function escape(text: string): string {
  return text.replaceAll(/[!-/:-@[-`{-~]/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** The texts of a notice: in the language of its one reader, or for more of them in that of the organization. */
export function noticeTexts(
  state: Pick<OrganizationState, 'settings' | 'settingsOf'>,
  readerId?: UserId,
): ServerTexts {
  const own = readerId === undefined ? [] : [state.settingsOf(readerId).defaultLanguage]
  return textsIn(...own, state.settings.defaultLanguage)
}

/** The first items of a list, and how many more there are. */
export function listSome({ t }: ServerTexts, items: readonly string[]): string[] {
  if (items.length <= LISTED_MAX) return [...items]
  const count = items.length - LISTED_MAX + 1
  return [...items.slice(0, LISTED_MAX - 1), t('and {count} more', { count })]
}

/** Text as a block quote: nothing in it can end the quote. */
export function quote(text: string): string {
  return text
    .split(/\r\n?|\n/)
    .map((line) => `> ${line}`)
    .join('\n')
}

/** The beginning of a text, up to so many characters. */
export function cut(text: string, lengthMax: number): string {
  return countCodePoints(text) <= lengthMax
    ? text
    : `${Array.from(text)
        .slice(0, lengthMax - 1)
        .join('')}…`
}

/** The readers of a channel, in one or two words. */
export function describePrivacy(
  { t }: ServerTexts,
  { isPrivate, isWebPublic, isHistoryPublic }: Pick<Channel, 'isPrivate' | 'isWebPublic' | 'isHistoryPublic'>,
): string {
  if (isWebPublic) return t('Web-public')
  if (!isPrivate) return t('Public')
  return t(isHistoryPublic ? 'Private, shared history' : 'Private, protected history')
}
