/** `POST /users/me/subscriptions`: subscribes users to channels, making those that are not there. */

import { findChannelNameProblem } from '../../../domain/channel-names.ts'
import { nowSeconds } from '../../../domain/clock.ts'
import { foldCase } from '../../../domain/fold-case.ts'
import {
  CHANNEL_DESCRIPTION_LENGTH_MAX,
  CHANNEL_NAME_LENGTH_MAX,
  CHANNELS_PER_CALL_MAX,
} from '../../../domain/limits.ts'
import { newChannelSettings } from '../../changes/new-channel.ts'
import { decideSubscribe } from '../../changes/subscribe-users.ts'
import type { Fail } from '../../errors.ts'
import { findPrincipals, principalsType } from '../../find-principals.ts'
import { operation } from '../../operation.ts'
import {
  anyOf,
  boolean,
  defaulted,
  integer,
  list,
  object,
  oneOf,
  optional,
  required,
  text,
} from '../../params.ts'
import { arrayOf, BOOLEAN, OBJECT, STRING } from '../../reply-schemas.ts'

const RETENTION_DAYS_MAX = 100 * 366 // A century: beyond it, forever is meant.

export const subscribe = operation({
  method: 'POST',
  path: '/users/me/subscriptions',
  summary: 'Subscribe to a channel',
  description:
    'Subscribes the caller or others to channels by name. A channel that does not exist is made, with the ' +
    'settings given; they do not touch existing ones. All of it happens, or nothing.',
  access: 'user',
  params: {
    subscriptions: required(
      list(
        object({
          name: required(text(), 'The name of the channel.'),
          description: defaulted(
            text({ lengthMax: CHANNEL_DESCRIPTION_LENGTH_MAX }),
            '',
            'For a new channel, in Markdown.',
          ),
        }),
        { lengthMax: CHANNELS_PER_CALL_MAX },
      ),
      'The channels.',
    ),
    principals: optional(
      principalsType,
      'Whom to subscribe, by ids or email addresses; the caller by default.',
    ),
    authorization_errors_fatal: defaulted(
      boolean(),
      true,
      'Whether one inaccessible channel fails the request, or is listed under `unauthorized`.',
    ),
    invite_only: defaulted(boolean(), false, 'Makes new channels private.'),
    history_public_to_subscribers: optional(
      boolean(),
      'Whether subscribers of a new private channel read what was sent before; always so in public ones.',
    ),
    message_retention_days: optional(
      anyOf(oneOf('realm_default', 'unlimited'), integer({ min: 1, max: RETENTION_DAYS_MAX })),
      'For new channels, by owners: days, `realm_default` or `unlimited`.',
    ),
    send_new_subscription_messages: defaulted(
      boolean(),
      true,
      'Whether those subscribed by others are told by direct message; this server does not tell them yet.',
    ),
  },
  reply: {
    subscribed: { schema: OBJECT, description: 'Names of the channels by id of the user newly subscribed.' },
    already_subscribed: { schema: OBJECT, description: 'The same for those who were subscribed before.' },
    unauthorized: {
      schema: arrayOf(STRING),
      description: 'Inaccessible channels, if not fatal.',
      isOptional: true,
    },
    new_subscription_messages_sent: {
      schema: BOOLEAN,
      description: 'Whether direct messages told of it, where they were asked for.',
      isOptional: true,
    },
  },
  errors: [
    'ROLE_REQUIRED',
    'CHANNEL_NAME_EMPTY',
    'CHANNEL_NAME_TOO_LONG',
    'CHANNEL_NAME_CHARACTER',
    'CHANNEL_INACCESSIBLE',
    'CHANNEL_HISTORY_CONTRADICTION',
    'TOO_MANY_SUBSCRIPTIONS',
    'USER_UNKNOWN',
    'USER_DEACTIVATED',
    'MESSAGE_RENDERING_FAILED',
  ],
  events: ['stream/create', 'subscription/add', 'subscription/peer_add'],
  async run({ user, params, services, fail }) {
    const {
      invite_only: isPrivate,
      history_public_to_subscribers: history,
      message_retention_days: retention,
    } = params
    const wanted = new Map<string, { name: string; description: string; renderedDescription: string }>()
    for (const { name: given, description: text } of params.subscriptions) {
      const name = given.trim()
      checkName(name, fail)
      if (wanted.has(foldCase(name))) continue
      const description = text.replaceAll(/\s*\n\s*/g, ' ').trim()
      // Only a new channel gets its description.
      const isThere = services.state.findChannelByName(name) !== undefined
      const renderedDescription = isThere ? '' : await services.render(description)
      wanted.set(foldCase(name), { name, description, renderedDescription })
    }
    const createdAt = nowSeconds(services.clock)
    const result = await services.committer.submit({
      kind: 'structure',
      decide: (state) =>
        decideSubscribe(state, {
          caller: state.getUser(user.id),
          principals: findPrincipals(params.principals, state.getUser(user.id), state, fail),
          isUnauthorizedFatal: params.authorization_errors_fatal,
          wanted: [...wanted.values()],
          newChannel: newChannelSettings(user.id, createdAt, {
            isPrivate,
            ...(history === undefined ? {} : { isHistoryPublic: history }),
            retentionDays:
              retention === undefined || retention === 'realm_default'
                ? null
                : retention === 'unlimited'
                  ? -1
                  : retention,
          }),
          fail,
        }),
    })
    return {
      ...result,
      ...(params.send_new_subscription_messages ? { new_subscription_messages_sent: false } : {}),
    }
  },
})

function checkName(
  name: string,
  fail: Fail<'CHANNEL_NAME_EMPTY' | 'CHANNEL_NAME_TOO_LONG' | 'CHANNEL_NAME_CHARACTER'>,
): void {
  const problem = findChannelNameProblem(name)
  if (problem?.kind === 'empty') throw fail('CHANNEL_NAME_EMPTY')
  if (problem?.kind === 'too_long')
    throw fail('CHANNEL_NAME_TOO_LONG', { lengthMax: CHANNEL_NAME_LENGTH_MAX })
  if (problem) throw fail('CHANNEL_NAME_CHARACTER', { position: problem.position })
}
