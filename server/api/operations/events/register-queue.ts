/** `POST /register`: creates an event queue and returns the state before its events. */

import { KEPT_FROM_KEYS, type QueueOptions } from '../../../actors/session.ts'
import type { NamedKey } from '../../../domain/accounts/named-keys.ts'
import { findUnsupported } from '../../../domain/messages/event-narrow.ts'
import { ROLES } from '../../../domain/entities.ts'
import { isVisitor } from '../../../../packages/rules/organization.ts'
import { operation } from '../../operation.ts'
import {
  anyOf,
  boolean,
  defaulted,
  integer,
  list,
  nullable,
  object,
  oneOf,
  optional,
  text,
  type Type,
} from '../../params.ts'
import { fetchInitialState, STATE_FIELDS, STATE_PARTS } from '../../registration.ts'
import { fetchVisitorState } from '../../visitor-registration.ts'
import { INTEGER, orNull, STRING } from '../../../domain/json-schema.ts'

/** Default lifetime of a queue after its last poll, in seconds. */
const IDLE_TIMEOUT_SECONDS = 600
/** A week: as long as the log keeps events. */
const IDLE_TIMEOUT_SECONDS_MAX = 7 * 24 * 3600
const TYPES_MAX = 200 // Twice the number of all types.

const typeNames = nullable(list(text({ lengthMax: 100 }), { lengthMax: TYPES_MAX }))
const narrowPairs: Type<readonly (readonly [string, string])[]> = list(
  {
    isText: false,
    schema: { type: 'array', items: { type: 'string' }, minItems: 2, maxItems: 2 },
    check(value, name) {
      const [operator, operand] = list(text({ lengthMax: 1_000 }), { lengthMax: 2 }).check(value, name)
      return [text().check(operator, name), text().check(operand, name)] as const
    },
  },
  { lengthMax: 20 },
)
const capability = () => defaulted(boolean(), false, 'Whether the client understands it.')
const CAPABILITIES = {
  notification_settings_null: capability(),
  bulk_message_deletion: capability(),
  user_avatar_url_field_optional: capability(),
  stream_typing_notifications: capability(),
  user_settings_object: capability(),
  linkifier_url_template: capability(),
  user_list_incomplete: capability(),
  include_deactivated_groups: capability(),
  archived_channels: capability(),
  empty_topic_name: capability(),
  simplified_presence_events: capability(),
  individual_emoji_changes: capability(),
}

export const registerQueue = operation({
  method: 'POST',
  path: '/register',
  summary: 'Register an event queue',
  description:
    'Creates an event queue and returns the state of the organization. The state and the events after ' +
    '`last_event_id` together give any later state.\n\n' +
    'Visitors get the public part of the state and no queue: `queue_id` is null. Their subscriptions are the ' +
    'web-public channels; lists of users, and all that belongs to an account, are empty.',
  access: 'visitor',
  params: {
    event_types: defaulted(
      typeNames,
      null,
      'The types of events to get; null for all. Unknown types add nothing.',
    ),
    fetch_event_types: defaulted(
      typeNames,
      null,
      'The types whose state to return; by default those of `event_types`. Each field of the reply names its types.',
    ),
    apply_markdown: defaulted(boolean(), false, 'Whether the content of messages is HTML.'),
    client_gravatar: defaulted(
      boolean(),
      true,
      'Whether gravatar addresses may be null, for clients that compute them.',
    ),
    include_subscribers: defaulted(
      anyOf(boolean(), oneOf('partial')),
      false,
      'Whether channels list their subscribers.',
    ),
    slim_presence: defaulted(boolean(), false, 'Whether presence is keyed by user id.'),
    presence_history_limit_days: optional(
      integer({ min: 0 }),
      'Omits presences whose last report is older than this number of days; at most 14 days are stored.',
    ),
    all_public_streams: defaulted(
      boolean(),
      false,
      'Whether to get messages of all public channels; not for guests.',
    ),
    narrow: defaulted(narrowPairs, [], 'The messages to get: pairs of an operator and an operand.'),
    client_capabilities: defaulted(
      object(CAPABILITIES),
      { ...noCapabilities() },
      'The features that the client understands.',
    ),
    idle_queue_timeout: optional(
      anyOf(integer({ min: 0 }), oneOf('mobile')),
      'Lifetime of the queue after its last poll in seconds, at most a week; 0 for the default, `mobile` for the longest.',
      { aliases: ['queue_lifespan_secs'] },
    ),
  },
  reply: {
    queue_id: { schema: orNull(STRING), description: 'The id of the queue; null for visitors.' },
    last_event_id: {
      schema: INTEGER,
      description: 'The position of the state in the log; -1 before any event, and for visitors.',
    },
    idle_queue_timeout_secs: {
      schema: INTEGER,
      description: 'Lifetime of the queue after its last poll, in seconds; 0 without a queue.',
    },
    ...STATE_FIELDS,
  },
  errors: ['NARROW_UNSUPPORTED', 'NARROW_OPERAND_UNSUPPORTED'],
  events: [],
  async run({ user, userAgent, params, exchange, services, fail }) {
    const unsupported = findUnsupported(params.narrow)
    if (unsupported && 'operand' in unsupported) throw fail('NARROW_OPERAND_UNSUPPORTED', unsupported)
    if (unsupported) throw fail('NARROW_UNSUPPORTED', unsupported)
    const neutral = (types: readonly string[] | null) => types?.map(services.names.neutralEventType) ?? null
    const { key } = exchange
    const options: QueueOptions = {
      ...(key ? { key: { id: key.id, channelId: key.channelId } } : {}),
      eventTypes: neutral(params.event_types),
      narrow: params.narrow,
      allPublicChannels: params.all_public_streams && user.role !== ROLES.guest,
      applyMarkdown: params.apply_markdown,
      clientGravatar: params.client_gravatar,
      includeSubscribers: params.include_subscribers,
      allowsNullSettings: params.client_capabilities.notification_settings_null,
      allowEmptyTopic: params.client_capabilities.empty_topic_name,
      hasArchivedChannels: params.client_capabilities.archived_channels,
      hasDeactivatedGroups: params.client_capabilities.include_deactivated_groups,
      hasBulkDeletion: params.client_capabilities.bulk_message_deletion,
      hasChannelTyping: params.client_capabilities.stream_typing_notifications,
      hasSettingsObject: params.client_capabilities.user_settings_object,
      hasSimplifiedPresence: params.client_capabilities.simplified_presence_events,
      hasIncompleteUsers: params.client_capabilities.user_list_incomplete,
      hasEmojiChanges: params.client_capabilities.individual_emoji_changes,
      hasLinkifierTemplates: params.client_capabilities.linkifier_url_template,
      namesReactors: services.names.namesReactors,
      readsOriginalTypes: services.names.readsOriginalTypes(userAgent),
      languageAlias: services.names.languageAlias,
      typeAliases: services.names.askedAliases(params.event_types),
    }
    const { idle_queue_timeout: wanted } = params
    // A longer lifetime than the maximum is lowered; the reply has the actual one.
    const idleTimeoutSeconds =
      wanted === 'mobile'
        ? IDLE_TIMEOUT_SECONDS_MAX
        : Math.min(wanted || IDLE_TIMEOUT_SECONDS, IDLE_TIMEOUT_SECONDS_MAX)
    const asOf = services.state.appliedId
    const types = stateTypesFor(key, neutral(params.fetch_event_types) ?? options.eventTypes)
    const presence = { isLegacy: !params.slim_presence, daysMax: params.presence_history_limit_days }
    if (isVisitor(user)) {
      const state = await fetchVisitorState({ user, services, options, presence, asOf }, types)
      return services.names.addAliases({
        queue_id: null,
        last_event_id: -1,
        idle_queue_timeout_secs: 0,
        ...state,
      })
    }
    const [fields, session] = await Promise.all([
      fetchInitialState({ user, services, options, presence, asOf }, types),
      services.queues.register({ userId: user.id, options, startId: asOf, idleTimeoutSeconds }),
    ])
    return services.names.addAliases({
      queue_id: session.queueId,
      last_event_id: asOf === 0 ? -1 : asOf,
      idle_queue_timeout_secs: idleTimeoutSeconds,
      ...fields,
    })
  },
})

/** The types whose state a caller gets; null for all. A key for one channel gets the state of nothing else. */
function stateTypesFor(
  key: NamedKey | undefined,
  wanted: readonly string[] | null,
): readonly string[] | null {
  if (!key) return wanted
  if (key.scope === 'channel') return []
  return (wanted ?? Object.keys(STATE_PARTS)).filter((type) => !KEPT_FROM_KEYS.includes(type))
}

function noCapabilities() {
  const none: Record<string, boolean> = {}
  for (const name of Object.keys(CAPABILITIES)) none[name] = false
  return none as { readonly [Name in keyof typeof CAPABILITIES]: boolean }
}
