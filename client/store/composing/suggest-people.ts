/** People, groups and wildcards that a message may mention. */

import { canMentionTogether } from '../../../packages/rules/messages.ts'
import type { State } from '../apply.ts'
import { channelsById } from '../derived/channels.ts'
import { organizationOf, selfOf } from '../derived/judged.ts'
import type { DraftPlace } from '../drafts/draft-entry.ts'
import { matchName } from './match-name.ts'
import { best, type Suggestion } from './suggestion.ts'
import { t } from '../../texts/texts.ts'

export interface MentionQuery {
  readonly query: string
  readonly isSilent: boolean
  readonly place: DraftPlace
}

/** The best suggestions for a name, people of this place first. */
export function suggestPeople(state: State, { query, isSilent, place }: MentionQuery): readonly Suggestion[] {
  const sign = isSilent ? '@_' : '@'
  const near = peopleNear(state, place)
  const self = selfOf(state)
  const { rights } = organizationOf(state)
  const users = (state.realm_users ?? []).filter(({ is_active }) => is_active)
  const counts = new Map<string, number>()
  for (const { full_name } of users) counts.set(fold(full_name), (counts.get(fold(full_name)) ?? 0) + 1)
  const nearness = (userId: number) => (userId === state.user_id ? 3 : near.has(userId) ? 0 : 2)
  const people = users
    .toSorted((a, b) => a.full_name.localeCompare(b.full_name))
    .map((user) => {
      const { user_id: userId, full_name: name, avatar_url: picture } = user
      const isAmbiguous =
        (counts.get(fold(name)) ?? 0) > 1 || WILDCARDS.some((one) => one.word === name) || name.includes('|')
      const suggestion: Suggestion = {
        key: `user ${userId}`,
        label: name,
        detail: user.is_bot ? t('Bot') : (user.delivery_email ?? ''),
        insert: `${sign}**${name}${isAmbiguous ? `|${userId}` : ''}** `,
        mark: { kind: 'user', userId, picture },
      }
      const rank = matchName(name, query)
      return { suggestion, rank: rank === undefined ? undefined : rank * 4 + nearness(userId) }
    })
  const groups = (state.realm_user_groups ?? [])
    .filter((group) => !group.deactivated && !group.is_system_group)
    .filter((group) => isSilent || rights.holds(self, group.can_mention_group))
    .map(({ id, name, description }) => {
      const rank = matchName(name, query)
      const suggestion: Suggestion = {
        key: `group ${id}`,
        label: name,
        detail: description,
        insert: `${sign}*${name}* `,
        mark: { kind: 'group' },
      }
      return { suggestion, rank: rank === undefined ? undefined : rank * 4 + 1 }
    })
  const wildcardMatches = wildcards(state, place).map(({ word, detail }) => {
    const suggestion: Suggestion = {
      key: `wildcard ${word}`,
      label: word,
      detail,
      insert: `${sign}**${word}** `,
      mark: { kind: 'wildcard' },
    }
    return { suggestion, rank: word.startsWith(query.toLowerCase()) ? 3 : undefined }
  })
  return best([...people, ...groups, ...wildcardMatches], ({ rank }) => rank).map(
    ({ suggestion }) => suggestion,
  )
}

const fold = (name: string) => name.toLowerCase()

const WILDCARDS = [
  { word: 'all', detail: t('Notify everyone here') },
  { word: 'everyone', detail: t('Notify everyone here') },
  { word: 'channel', detail: t('Notify all subscribers') },
  { word: 'topic', detail: t('Notify everyone in this topic') },
] as const

function wildcards(state: State, place: DraftPlace) {
  if (place.type === 'direct') return WILDCARDS.slice(0, 2)
  const count = channelsById(state).get(place.channelId)?.channel.subscriber_count ?? 0
  const mayMentionAll = canMentionTogether(selfOf(state), count, organizationOf(state))
  return WILDCARDS.filter(({ word }) => word === 'topic' || mayMentionAll)
}

function peopleNear(state: State, place: DraftPlace): ReadonlySet<number> {
  if (place.type === 'direct') return new Set(place.userIds)
  return new Set(channelsById(state).get(place.channelId)?.subscription?.subscribers)
}
