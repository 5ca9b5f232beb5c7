/** `POST /users/me/subscriptions/properties`: what the caller sets for channels they are subscribed to. */

import type { Decision } from '../../../decisions/decision.ts'
import { canSeeChannel } from '../../../domain/channel-access.ts'
import type { SubscriptionSettings, User } from '../../../domain/entities.ts'
import type { NewEvent } from '../../../domain/events.ts'
import type { SubscriptionChange } from '../../../domain/events/channels.ts'
import type { ChannelId } from '../../../domain/ids.ts'
import { UserSet } from '../../../domain/user-set.ts'
import type { ChannelState } from '../../../state/channel-state.ts'
import type { OrganizationState } from '../../../state/organization-state.ts'
import { SUBSCRIPTION_PROPERTIES, subscriptionSettings } from '../../../views/channel-view.ts'
import { clientsOf } from '../../../audience/tell-visibility.ts'
import type { Fail } from '../../../errors/api-error.ts'
import { operation } from '../../operation.ts'
import { boolean, id, list, object, required, text, type Type } from '../../params.ts'

/** Changes in one call: each is written by itself, while the log is locked. */
const CHANGES_MAX = 1_000

/** A truth value or a text; which of them it must be depends on the property. */
const propertyValue: Type<unknown> = {
  isText: false,
  schema: { anyOf: [{ type: 'boolean' }, { type: 'string' }] },
  check: (value) => value,
}

export const changeSubscriptionProperties = operation({
  method: 'POST',
  path: '/users/me/subscriptions/properties',
  summary: 'Change personal settings of subscriptions',
  description:
    'Color, muting, pinning and notifications of channels, for the caller. All of it happens, or nothing.',
  access: 'user',
  params: {
    subscription_data: required(
      list(
        object({
          stream_id: required(id<ChannelId>(), 'The channel.'),
          property: required(
            text({ lengthMax: 100 }),
            'One of `color`, `is_muted`, `in_home_view` (its inverse, of old), `pin_to_top`, `desktop_notifications`, `audible_notifications`, `push_notifications`, `email_notifications` and `wildcard_mentions_notify`.',
          ),
          value: required(propertyValue, 'A color as `#rgb` or `#rrggbb`; else true or false.'),
        }),
        { lengthMax: CHANGES_MAX },
      ),
      'The changes, in their order.',
    ),
  },
  reply: {},
  errors: ['SUBSCRIPTION_PROPERTY_UNKNOWN', 'COLOR_INVALID', 'NOT_SUBSCRIBED'],
  events: ['subscription/update'],
  async run({ params, user, services: { committer }, fail }) {
    const changes = params.subscription_data.map(({ stream_id, property, value }) => ({
      channelId: stream_id,
      change: readChange(property, value, fail),
    }))
    await committer.submit({
      kind: 'structure',
      decide: (state) => decideChanges(state, state.getUser(user.id), changes, fail),
    })
    return {}
  },
})

type StoredChange = Exclude<SubscriptionChange, { property: 'inHomeView' }>
type ReadFail = Fail<'SUBSCRIPTION_PROPERTY_UNKNOWN' | 'COLOR_INVALID'>

function readChange(name: string, value: unknown, fail: ReadFail): StoredChange {
  const properties = Object.keys(SUBSCRIPTION_PROPERTIES) as (keyof typeof SUBSCRIPTION_PROPERTIES)[]
  const property = properties.find((one) => SUBSCRIPTION_PROPERTIES[one].name === name)
  if (property === undefined) throw fail('SUBSCRIPTION_PROPERTY_UNKNOWN', { property: name })
  if (property === 'color') return { property, value: readColor(text().check(value, name), fail) }
  const isSet = boolean().check(value, name)
  return property === 'inHomeView' ? { property: 'isMuted', value: !isSet } : { property, value: isSet }
}

function readColor(value: string, fail: ReadFail): string {
  if (!/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(value)) throw fail('COLOR_INVALID')
  return value
}

function decideChanges(
  state: OrganizationState,
  user: User,
  changes: readonly { channelId: ChannelId; change: StoredChange }[],
  fail: Fail<'NOT_SUBSCRIBED'>,
): Decision<undefined> {
  const present = new Map<ChannelId, SubscriptionSettings>()
  const events: NewEvent[] = []
  for (const { channelId, change } of changes) {
    const channel = state.channels.get(channelId)
    if (!channel?.subscribers.has(user.id) || !canSeeChannel(user, channel, state.rights)) {
      throw fail('NOT_SUBSCRIBED', { id: channelId })
    }
    const settings = present.get(channelId) ?? subscriptionSettings(channel, user.id)
    if (settings[change.property] === change.value) continue
    present.set(channelId, { ...settings, [change.property]: change.value })
    events.push(...tellChange(channel, user, change))
  }
  return { events, reply: () => undefined }
}

/** Muting is told by its older, inverse name as well. */
function tellChange({ channel }: ChannelState, user: User, change: StoredChange): NewEvent[] {
  const told: SubscriptionChange[] =
    change.property === 'isMuted' ? [change, { property: 'inHomeView', value: !change.value }] : [change]
  return told.map((one) => ({
    event: {
      type: 'subscription/update',
      userId: user.id,
      channelId: channel.id,
      change: one,
      ...clientsOf(channel),
    },
    audience: { kind: 'users', users: UserSet.of([user.id]) },
  }))
}
