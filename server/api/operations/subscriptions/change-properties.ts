/** `POST /users/me/subscriptions/properties`: the caller's settings of subscribed channels. */

import { decideSubscriptionSettings } from '../../../decisions/channels/change-subscription-settings.ts'
import type { SubscriptionChange } from '../../../domain/events/subscriptions.ts'
import type { ChannelId } from '../../../domain/ids.ts'
import type { Fail } from '../../../errors/api-error.ts'
import { SUBSCRIPTION_PROPERTIES } from '../../../views/channel-view.ts'
import { change } from '../../change-operation.ts'
import { boolean, id, list, object, required, text, type Type } from '../../params.ts'

/** Changes in one call: each is written separately under the log's lock. */
const CHANGES_MAX = 1_000

const property = required(
  text({ lengthMax: 100 }),
  'One of `color`, `is_muted`, `in_home_view` (its older inverse), `pin_to_top`, `desktop_notifications`, `audible_notifications`, `push_notifications`, `email_notifications` and `wildcard_mentions_notify`.',
)
/** A boolean or a string, depending on the property. */
const propertyValue: Type<unknown> = {
  isText: false,
  schema: { anyOf: [{ type: 'boolean' }, { type: 'string' }] },
  check: (value) => value,
}

/** The same as a parameter of its own: a color comes without quotes. */
const looseValue: Type<unknown> = { ...propertyValue, isLoose: true }
const value = required(propertyValue, 'A color as `#rgb` or `#rrggbb`, or a boolean.')
const ERRORS = ['SUBSCRIPTION_PROPERTY_UNKNOWN', 'COLOR_INVALID', 'NOT_SUBSCRIBED'] as const

export const changeSubscriptionProperties = change({
  method: 'POST',
  path: '/users/me/subscriptions/properties',
  summary: 'Change personal settings of subscriptions',
  description:
    'Color, muting, pinning and notifications of channels, for the caller. All of the changes apply, or none.',
  access: 'user',
  params: {
    subscription_data: required(
      list(
        object({
          stream_id: required(id<ChannelId>(), 'The channel.'),
          property,
          value,
        }),
        { lengthMax: CHANGES_MAX },
      ),
      'The changes, in order.',
    ),
  },
  reply: {},
  errors: ERRORS,
  events: ['subscription/update'],
  prepare: ({ params, fail }) => ({
    changes: params.subscription_data.map(({ stream_id, property, value }) => ({
      channelId: stream_id,
      change: readChange(property, value, fail),
    })),
  }),
  decide: decideSubscriptionSettings,
})

export const changeSubscriptionProperty = change({
  method: 'PATCH',
  path: '/users/me/subscriptions/{stream_id}',
  summary: 'Change a personal setting of a subscription',
  description: 'The same for one setting of one channel.',
  access: 'user',
  params: {
    stream_id: required(id<ChannelId>(), 'The channel.'),
    property,
    value: required(looseValue, 'A color as `#rgb` or `#rrggbb`, or a boolean.'),
  },
  reply: {},
  errors: ERRORS,
  events: ['subscription/update'],
  prepare: ({ params: { stream_id: channelId, property: name, value: given }, fail }) => ({
    changes: [{ channelId, change: readChange(name, given, fail) }],
  }),
  decide: decideSubscriptionSettings,
})

type ReadFail = Fail<'SUBSCRIPTION_PROPERTY_UNKNOWN' | 'COLOR_INVALID'>

function readChange(name: string, value: unknown, fail: ReadFail): SubscriptionChange {
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
