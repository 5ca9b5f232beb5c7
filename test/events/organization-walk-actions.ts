/**
 * The further changes of the user walk: objects of the organization, personal objects, and the settings that
 * decide who sees whom. A new operation is one more line.
 */

import type { Fields } from '../harness/client/client.ts'
import { drawSetting } from './draw-setting.ts'
import type { Random } from './make-random.ts'
import { type Draw, type Kind, USERS } from './user-walk-actions.ts'

export const EMOJI = ['walk_one', 'walk_two', 'heart'] as const
/** Users whose accounts stay: a deactivated one would make the request fail. */
const PRINCIPALS = [1, 2, 3, 4, 5, 6] as const
const CHANNELS = ['one', 'two'] as const
const DOMAINS = ['example.com', 'example.org'] as const
const FRAGMENTS = ['narrow/is/starred', 'narrow/channel/1-one'] as const
/** So few that the user to unmute was muted. */
const MUTED = [1, 4, 6] as const
const WORDS = ['alert', 'Alert', 'word', 'two words'] as const
const PATTERNS = ['#(?P<id>[0-9]+)', 'x(?P<id>[0-9]+)', 'y(?P<id>[a-z]+)'] as const
/** As many as are created of each kind, so that changes name existing ones. */
const MADE_MAX = 4
/** Members, or everyone: only with the latter does everyone see all users. */
const SIGHTS = [5, 6] as const

/** The lines for one change. */
export function organizationKinds(random: Random, draw: Draw): readonly Kind[] {
  const { owner, anyone, extra, file } = draw
  const pick = <Item>(items: readonly Item[]): Item => random.pick(items)
  const below = (bound: number) => random.below(bound)
  const truth = () => below(2) === 0
  const id = () => 1 + below(MADE_MAX)
  const channelId = () => 1 + below(CHANNELS.length)
  const either = pick([owner, owner, anyone])
  const emoji = `/realm/emoji/${pick(EMOJI)}`
  const linkifier = () => ({ pattern: pick(PATTERNS), url_template: `https://example.com/${below(3)}/{id}` })
  const view = `/navigation_views/${encodeURIComponent(pick(FRAGMENTS))}`
  const shuffled = async (path: string, list: string, key = 'id'): Promise<number[]> => {
    const { body } = await owner.get(path)
    const ids: number[] = ((body[list] ?? []) as Record<string, number>[]).map((one) => one[key] ?? 0)
    return truth() ? ids.reverse() : ids
  }
  /** One object of a user, or none. */
  const owned = async (path: string, list: string, key = 'id'): Promise<number> => {
    const { body } = await anyone.get(path)
    return (body[list] as readonly Record<string, number>[] | undefined)?.[0]?.[key] ?? 0
  }
  const late = () => ({ scheduled_delivery_timestamp: 4_000_000_000 + below(5) })
  const scheduled = (): Fields =>
    truth()
      ? { type: 'channel', to: channelId(), topic: pick(['a', 'A', 'b']), content: pick(WORDS) }
      : { type: 'direct', to: random.some(USERS).slice(0, 3), content: pick(WORDS) }
  return [
    // Images.
    [2, () => [anyone, 'POST', '/users/me/avatar', {}, file]],
    [1, () => [anyone, 'DELETE', '/users/me/avatar']],
    [1, () => [either, 'POST', '/realm/icon', {}, file]],
    [1, () => [either, 'DELETE', '/realm/icon']],
    [1, () => [either, 'POST', '/realm/logo', { night: String(truth()) }, file]],
    [1, () => [either, 'DELETE', '/realm/logo', { night: truth() }]],
    [3, () => [either, 'POST', emoji, {}, file]],
    [2, () => [either, 'DELETE', emoji]],
    [3, () => [anyone, 'POST', '/users/me/status', { emoji_name: pick(EMOJI) }]],
    // Visibility of users, and actions that make users visible to each other.
    [5, () => [owner, 'PATCH', '/realm', { can_access_all_users_group: { new: pick(SIGHTS) } }]],
    [
      3,
      () => [
        either,
        'POST',
        '/users/me/subscriptions',
        { subscriptions: [{ name: pick(CHANNELS) }], principals: random.some(PRINCIPALS) },
      ],
    ],
    [
      5,
      () => [
        owner,
        'DELETE',
        '/users/me/subscriptions',
        { subscriptions: [pick(CHANNELS)], principals: random.some(PRINCIPALS) },
      ],
    ],
    [
      1,
      () => [
        anyone,
        'PATCH',
        '/users/me/subscriptions',
        truth() ? { add: [{ name: pick(CHANNELS) }] } : { delete: [pick(CHANNELS)] },
      ],
    ],
    [
      3,
      () => [
        anyone,
        'POST',
        '/messages',
        { type: 'direct', to: random.some(USERS).slice(0, 3), content: `${pick(WORDS)} @**|6**` },
      ],
    ],
    [
      3,
      () => [
        anyone,
        'POST',
        '/messages',
        { type: 'channel', to: channelId(), topic: pick(['a', 'A', 'b']), content: `${pick(WORDS)} @**|4**` },
      ],
    ],
    [1, () => [owner, 'DELETE', `/streams/${channelId()}`]],
    [2, () => [owner, 'PATCH', `/streams/${channelId()}`, { is_archived: false }]],
    [1, () => [owner, 'PATCH', `/streams/${channelId()}`, { is_private: truth() }]],
    // Lists of the organization.
    [2, () => [either, 'POST', '/realm/filters', linkifier()]],
    [1, () => [either, 'PATCH', `/realm/filters/${id()}`, linkifier()]],
    [1, () => [either, 'DELETE', `/realm/filters/${id()}`]],
    [
      1,
      async () => [
        owner,
        'PATCH',
        '/realm/linkifiers',
        { ordered_linkifier_ids: await shuffled('/realm/linkifiers', 'linkifiers') },
      ],
    ],
    [
      2,
      () => [
        either,
        'POST',
        '/realm/playgrounds',
        { name: `play ${id()}`, pygments_language: 'Python', url_template: 'https://example.com/{code}' },
      ],
    ],
    [1, () => [either, 'DELETE', `/realm/playgrounds/${id()}`]],
    [2, () => [owner, 'POST', '/realm/domains', { domain: pick(DOMAINS), allow_subdomains: truth() }]],
    [1, () => [owner, 'PATCH', `/realm/domains/${pick(DOMAINS)}`, { allow_subdomains: truth() }]],
    [1, () => [owner, 'DELETE', `/realm/domains/${pick(DOMAINS)}`]],
    [1, () => [owner, 'POST', '/channel_folders/create', { name: `folder ${id()}`, description: '' }]],
    [
      1,
      () => [
        owner,
        'PATCH',
        `/channel_folders/${id()}`,
        truth() ? { description: '*x*' } : { is_archived: truth() },
      ],
    ],
    [
      1,
      async () => [
        owner,
        'PATCH',
        '/channel_folders',
        {
          order: await shuffled('/channel_folders', 'channel_folders'),
        },
      ],
    ],
    [
      1,
      async () => [
        owner,
        'PATCH',
        '/realm/profile_fields',
        { order: await shuffled('/realm/profile_fields', 'custom_fields') },
      ],
    ],
    [1, () => [owner, 'POST', '/default_streams', { stream_id: channelId() }]],
    [1, () => [owner, 'DELETE', '/default_streams', { stream_id: channelId() }]],
    [
      1,
      () => [
        owner,
        'POST',
        '/default_stream_groups/create',
        { group_name: `group ${below(4)}`, description: '', stream_names: [pick(CHANNELS)] },
      ],
    ],
    [
      1,
      () => [
        owner,
        'PATCH',
        `/default_stream_groups/${id()}/streams`,
        { op: pick(['add', 'remove']), stream_names: [pick(CHANNELS)] },
      ],
    ],
    [1, () => [owner, 'PATCH', `/default_stream_groups/${id()}`, { new_group_name: `group ${below(4)}` }]],
    [1, () => [owner, 'DELETE', `/default_stream_groups/${id()}`]],
    // Invitations.
    [
      2,
      () => [
        either,
        'POST',
        '/invites/multiuse',
        { invite_as: pick([400, 600]), stream_ids: truth() ? [channelId()] : [] },
      ],
    ],
    [
      2,
      () => [
        either,
        'POST',
        '/invites',
        { invitee_emails: `invited${below(5)}@example.com, invited${below(5)}@example.com`, stream_ids: [] },
      ],
    ],
    [2, async () => [either, 'POST', `/invites/${await owned('/invites', 'invites')}/resend`]],
    [2, async () => [either, 'POST', `/invites/${await owned('/invites', 'invites')}/link`]],
    [2, async () => [either, 'DELETE', `/invites/multiuse/${await owned('/invites', 'invites')}`]],
    // Settings.
    [5, () => [owner, 'PATCH', '/realm', drawSetting(random, '/realm')]],
    [3, () => [either, 'PATCH', '/realm/user_settings_defaults', drawSetting(random, '/settings')]],
    [5, () => [anyone, 'PATCH', '/settings', drawSetting(random, '/settings')]],
    // Personal objects.
    [2, () => [anyone, 'POST', '/users/me/alert_words', { alert_words: random.some(WORDS) }]],
    [1, () => [anyone, 'DELETE', '/users/me/alert_words', { alert_words: random.some(WORDS) }]],
    [3, () => [anyone, 'POST', `/users/me/muted_users/${pick(MUTED)}`]],
    [2, () => [anyone, 'DELETE', `/users/me/muted_users/${pick(MUTED)}`]],
    [2, () => [anyone, 'POST', '/saved_snippets', { title: `title ${below(3)}`, content: 'text' }]],
    [
      1,
      async () => [
        anyone,
        'PATCH',
        `/saved_snippets/${await owned('/saved_snippets', 'saved_snippets')}`,
        truth() ? { title: `other ${below(3)}` } : { content: `text ${below(3)}` },
      ],
    ],
    [
      1,
      async () => [anyone, 'DELETE', `/saved_snippets/${await owned('/saved_snippets', 'saved_snippets')}`],
    ],
    // Scheduled messages, so late that none is sent.
    [2, () => [anyone, 'POST', '/scheduled_messages', { ...scheduled(), ...late() }]],
    [
      1,
      async () => [
        anyone,
        'PATCH',
        `/scheduled_messages/${await owned('/scheduled_messages', 'scheduled_messages', 'scheduled_message_id')}`,
        pick<Fields>([scheduled(), late(), { content: `${pick(WORDS)} ${below(3)}` }]),
      ],
    ],
    [
      1,
      async () => [
        anyone,
        'DELETE',
        `/scheduled_messages/${await owned('/scheduled_messages', 'scheduled_messages', 'scheduled_message_id')}`,
      ],
    ],
    [2, () => [anyone, 'POST', '/reminders', { message_id: 1 + below(200), note: pick(WORDS), ...late() }]],
    [
      1,
      async () => [anyone, 'DELETE', `/reminders/${await owned('/reminders', 'reminders', 'reminder_id')}`],
    ],
    [
      2,
      () => [
        anyone,
        'POST',
        '/navigation_views',
        { fragment: pick(FRAGMENTS), is_pinned: truth(), ...(truth() ? { name: `view ${below(3)}` } : {}) },
      ],
    ],
    [1, () => [anyone, 'PATCH', view, truth() ? { is_pinned: truth() } : { name: `view ${below(3)}` }]],
    [1, () => [anyone, 'DELETE', view]],
    // Keys, addresses, passwords, and leaving.
    [1, () => [anyone, 'POST', '/users/me/api_key/regenerate']],
    [
      2,
      () => [
        anyone,
        'PATCH',
        '/settings',
        {
          email: `u${anyone.userId}${pick(['a', 'b', 'C'])}@${pick(['example.com', 'sub.example.com', 'example.org'])}`,
          old_password: draw.passwordOf(anyone),
        },
      ],
    ],
    [
      1,
      () => [
        extra,
        'PATCH',
        '/settings',
        { new_password: `long enough ${below(2)}`, old_password: draw.passwordOf(extra) },
      ],
    ],
    [2, () => [extra, 'DELETE', '/users/me']],
    [
      1,
      () => [
        owner,
        'POST',
        '/users',
        { email: `new${below(2)}@example.com`, full_name: `New ${below(20)}`, password: 'long enough' },
      ],
    ],
    [2, () => [owner, 'PATCH', `/users/${anyone.email}`, { full_name: `Name ${below(20)}` }]],
  ]
}
