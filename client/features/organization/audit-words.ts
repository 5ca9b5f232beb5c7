/** Entries of the audit log in sentences, after the name of the person. */

import { roleName } from '../../../packages/rules/roles.ts'
import type { State } from '../../store/apply.ts'
import { channelsById } from '../../store/derived/channels.ts'
import { groupName, groupsById } from '../../store/derived/group-choices.ts'
import { nameOf } from '../../store/derived/users.ts'
import type { AuditEntry, AuditKind } from './audit-kinds.ts'
import { t } from '../../texts/texts.ts'

type EntryOf<Kind extends AuditKind> = Extract<AuditEntry, { readonly kind: Kind }>
type Describe<Kind extends AuditKind> = (details: EntryOf<Kind>['details'], names: Names) => string

/** Names for ids. */
interface Names {
  readonly user: (id: number | null) => string
  readonly channel: (id: number | null) => string
  readonly group: (id: number) => string
}

const FACTORS = {
  totp_on: t('set up an authenticator app'),
  totp_off: t('turned off their authenticator app'),
  codes_renewed: t('created new recovery codes'),
  passkey_added: t('added a passkey'),
  passkey_removed: t('removed a passkey'),
} as const

const IMPORT_WORDS = {
  waiting: t('began an import'),
  checking: t('uploaded the archive of an import'),
  checked: t('checked the archive of an import'),
  running: t('started an import'),
  done: t('finished an import'),
  failed: t('could not import an archive'),
  cancelled: t('cancelled an import'),
} as const

const WORDS: { readonly [Kind in AuditKind]: Describe<Kind> } = {
  delete_message: ({ message_ids, stream_id }, { channel }) =>
    t('deleted {count, plural, one {one message} other {# messages}} in {channel}', {
      count: message_ids.length,
      channel: channel(stream_id),
    }),
  update_message: ({ message_ids, stream_id, new_stream_id }, { channel }) =>
    new_stream_id === null || new_stream_id === stream_id
      ? t('moved {count, plural, one {one message} other {# messages}} to another topic in {channel}', {
          count: message_ids.length,
          channel: channel(stream_id),
        })
      : t('moved {count, plural, one {one message} other {# messages}} from {former} to {present}', {
          count: message_ids.length,
          former: channel(stream_id),
          present: channel(new_stream_id),
        }),
  organization_created: ({ name }) => t('created the organization {name}', { name }),
  'realm/update_dict': (changes) =>
    t('changed settings: {names}', { names: settingNames(Object.keys(changes)) }),
  'realm/picture': ({ picture, uploaded }) =>
    t(
      '{change, select, yes {changed} other {removed}} the {picture, select, icon {icon} other {logo}} of the organization',
      { change: uploaded ? 'yes' : 'no', picture },
    ),
  realm_linkifiers: () => t('changed the linkifiers'),
  realm_playgrounds: () => t('changed the code playgrounds'),
  'realm_domains/add': ({ realm_domain }) => t('added the domain {domain}', { domain: realm_domain.domain }),
  'realm_domains/change': ({ realm_domain }) =>
    t('changed the domain {domain}', { domain: realm_domain.domain }),
  'realm_domains/remove': ({ realm_domain }) =>
    t('removed the domain {domain}', { domain: realm_domain.domain }),
  'realm_user_settings_defaults/update': ({ property }) =>
    t('changed a default setting for new people: {name}', { name: settingNames([property]) }),
  'realm_emoji/update': ({ name, deactivated }) =>
    deactivated ? t('removed the emoji :{name}:', { name }) : t('added the emoji :{name}:', { name }),
  own_export: ({ op }) =>
    op === 'deleted'
      ? t('deleted an export of their own data')
      : op === 'pending'
        ? t('asked for an export of their own data')
        : op === 'done'
          ? t('finished an export of the data of one person')
          : t('could not export the data of one person'),
  realm_export: ({ op }) =>
    op === 'deleted'
      ? t('deleted an export of the organization')
      : op === 'pending'
        ? t('asked for an export of the organization')
        : op === 'done'
          ? t('finished an export of the organization')
          : t('could not export the organization'),
  realm_import: ({ op }) => IMPORT_WORDS[op],
  'legal_hold/add': describeHold,
  'legal_hold/remove': ({ name }) => t('lifted the legal hold “{name}”', { name }),
  custom_profile_fields: () => t('changed the profile fields'),
  'realm_user/add': ({ full_name, role, bot_type }) =>
    bot_type === null
      ? t('created the account of {name}, {role}', { name: full_name, role: t(roleName(role)) })
      : t('created the bot {name}', { name: full_name }),
  'realm_user/update': describeUserUpdate,
  'realm_user/avatar': ({ user_id }, { user }) => t('changed the picture of {name}', { name: user(user_id) }),
  'realm_user/profile': ({ user_id }, { user }) =>
    t('changed the profile of {name}', { name: user(user_id) }),
  bot_setup_changed: ({ user_id }, { user }) => t('changed the bot {name}', { name: user(user_id) }),
  api_keys_changed: ({ user_id }, { user }) => t('changed the API key of {name}', { name: user(user_id) }),
  named_key_made: ({ user_id, name }, { user }) =>
    t('created the key “{key}” for a program of {name}', { key: name, name: user(user_id) }),
  named_keys_ended: ({ user_id, key_ids: ids }, { user }) =>
    t('ended {count, plural, one {a key} other {# keys}} for programs of {name}', {
      count: ids.length,
      name: user(user_id),
    }),
  login_sessions_changed: ({ user_id, session_count }, { user }) =>
    t('changed the sessions of {name}; {count, plural, one {one session} other {# sessions}} now', {
      name: user(user_id),
      count: session_count,
    }),
  password_set: ({ user_id }, { user }) => t('set the password of {name}', { name: user(user_id) }),
  second_factors_changed: ({ user_id, change }, { user }) =>
    change === 'reset' ? t('removed the second factors of {name}', { name: user(user_id) }) : FACTORS[change],
  scim_token_changed: ({ is_on }) =>
    is_on
      ? t('created a token for the company’s provider of identities')
      : t('ended the token of the company’s provider of identities'),
  access_refused: describeRefusal,
  agent_wrote: ({ wrote, stream_id, program }, { channel }) =>
    wrote === 'draft'
      ? t('saved a draft through the agent “{program}”', { program })
      : wrote === 'message'
        ? t('sent a message in {channel} through the agent “{program}”', {
            channel: channel(stream_id),
            program,
          })
        : t('reacted in {channel} through the agent “{program}”', { channel: channel(stream_id), program }),
  'stream/create': ({ streams }) =>
    streams.length === 1
      ? t('created the channel #{name}', { name: streams[0]?.name ?? '' })
      : t('created {count, plural, one {one channel} other {# channels}}', { count: streams.length }),
  'stream/update': ({ stream_id, property }, { channel }) =>
    t('changed {name}: {settings}', { name: channel(stream_id), settings: settingNames([property]) }),
  default_streams: () => t('changed the default channels'),
  default_stream_groups: () => t('changed the groups of default channels'),
  'channel_folder/add': ({ name }) => t('created the folder {name}', { name }),
  'channel_folder/update': ({ name }) => t('changed the folder {name}', { name: name ?? '' }),
  'channel_folder/reorder': () => t('reordered the folders'),
  'subscription/add': ({ stream_ids, user_ids }, names) =>
    t('added {people} to {channels}', {
      people: peopleOf(user_ids, names.user),
      channels: channelsOf(stream_ids, names.channel),
    }),
  'subscription/remove': ({ stream_ids, user_ids }, names) =>
    t('removed {people} from {channels}', {
      people: peopleOf(user_ids, names.user),
      channels: channelsOf(stream_ids, names.channel),
    }),
  'user_group/add': ({ name }) => t('created the group {name}', { name }),
  'user_group/update': ({ group_id, data }, { group }) =>
    t('changed the group {name}: {settings}', {
      name: group(group_id),
      settings: settingNames(Object.keys(data)),
    }),
  'user_group/add_members': ({ group_id, user_ids }, { user, group }) =>
    t('added {names} to the group {group}', { names: peopleOf(user_ids, user), group: group(group_id) }),
  'user_group/remove_members': ({ group_id, user_ids }, { user, group }) =>
    t('removed {names} from the group {group}', { names: peopleOf(user_ids, user), group: group(group_id) }),
  'user_group/add_subgroups': ({ group_id, direct_subgroup_ids: ids }, { group }) =>
    t('added {names} to the group {group}', { names: groupsOf(ids, group), group: group(group_id) }),
  'user_group/remove_subgroups': ({ group_id, direct_subgroup_ids: ids }, { group }) =>
    t('removed {names} from the group {group}', { names: groupsOf(ids, group), group: group(group_id) }),
  invites_changed: (details) => {
    if (details.op === 'made')
      return t('created an invitation link, {role}', { role: t(roleName(details.role)) })
    if (details.op === 'mailed')
      return t('invited someone by email, {role}', { role: t(roleName(details.role)) })
    if (details.op === 'resent') return t('sent an invitation again')
    if (details.op === 'linked') return t('got a personal invitation link')
    return details.op === 'revoked'
      ? t('revoked an invitation')
      : t('ended invitations of a deactivated person')
  },
  invitation_used: ({ user_id }, { user }) => t('let {name} join by an invitation', { name: user(user_id) }),
}

/** The change of an entry in words. */
export function describeAudit(state: State, { kind, details }: AuditEntry): string {
  const channels = channelsById(state)
  const groups = groupsById(state)
  const describe = WORDS[kind] as (details: unknown, names: Names) => string
  return describe(details, {
    user: (id) => (id === null ? t('no one') : nameOf(state, id)),
    channel: (id) => {
      if (id === null) return t('direct messages')
      const found = channels.get(id)
      return found ? `#${found.channel.name}` : t('a channel you can’t see')
    },
    group: (id) => {
      const found = groups.get(id)
      return found ? groupName(found) : t('an unknown group')
    },
  })
}

function describeHold(
  {
    name,
    reason,
    whole_organization: isForAll,
    user_ids: users,
    stream_ids: channels,
  }: EntryOf<'legal_hold/add'>['details'],
  names: Names,
): string {
  if (isForAll)
    return t('placed the legal hold “{name}” on the whole organization: {reason}', { name, reason })
  const values = {
    name,
    reason,
    people: peopleOf(users, names.user),
    channels: channelsOf(channels, names.channel),
    on: channels.length === 0 ? 'people' : users.length === 0 ? 'channels' : 'both',
  }
  return t(
    'placed the legal hold “{name}” on {on, select, people {{people}} channels {{channels}} other {{people} and {channels}}}: {reason}',
    values,
  )
}

function describeUserUpdate(
  { user_id, full_name, role, is_active, email_changed }: EntryOf<'realm_user/update'>['details'],
  { user }: Names,
): string {
  const name = user(user_id)
  const parts = [
    role === undefined ? '' : t('changed the role of {name} to {role}', { name, role: t(roleName(role)) }),
    is_active === undefined
      ? ''
      : is_active
        ? t('reactivated {name}', { name })
        : t('deactivated {name}', { name }),
    full_name === undefined ? '' : t('changed a name to {name}', { name: full_name }),
    email_changed ? t('changed the address of {name}', { name }) : '',
  ].filter(Boolean)
  return parts.length === 0 ? t('changed the account of {name}', { name }) : parts.join(', ')
}

function describeRefusal(
  { refusal, user_id, network, operation, count }: EntryOf<'access_refused'>['details'],
  { user }: Names,
): string {
  const values = {
    count,
    isOf: user_id === null ? 'nobody' : 'person',
    name: user_id === null ? '' : user(user_id),
    isFrom: network === null ? 'many' : 'one',
    network: network ?? '',
    hasName: operation === null ? 'no' : 'yes',
    operation: operation ?? '',
  }
  switch (refusal) {
    case 'log_in':
      return t(
        'noted {count, plural, one {one wrong password} other {# wrong passwords}}{isOf, select, person { for {name}} other {}}{isFrom, select, one { from {network}} other { from many addresses}}',
        values,
      )
    case 'code':
      return t(
        'noted {count, plural, one {one wrong code} other {# wrong codes}}{isOf, select, person { for {name}} other {}}{isFrom, select, one { from {network}} other { from many addresses}}',
        values,
      )
    case 'key':
      return t(
        'noted {count, plural, one {one invalid API key} other {# invalid API keys}}{isOf, select, person { for {name}} other {}}{isFrom, select, one { from {network}} other { from many addresses}}',
        values,
      )
    case 'permission':
      return t(
        'noted {count, plural, one {one refused request} other {# refused requests}}{hasName, select, yes { ({operation})} other {}}{isFrom, select, one { from {network}} other { from many addresses}}',
        values,
      )
  }
}

const SHOWN_MAX = 3

function peopleOf(ids: readonly number[], name: Names['user']): string {
  return ids.length > SHOWN_MAX ? t('{count} people', { count: ids.length }) : ids.map(name).join(', ')
}

function channelsOf(ids: readonly number[], name: Names['channel']): string {
  return ids.length > SHOWN_MAX ? t('{count} channels', { count: ids.length }) : ids.map(name).join(', ')
}

function groupsOf(ids: readonly number[], name: Names['group']): string {
  return ids.length > SHOWN_MAX ? t('{count} groups', { count: ids.length }) : ids.map(name).join(', ')
}

/** Names of settings without the parts that only programs need. */
function settingNames(names: readonly string[]): string {
  return names.map((name) => name.replace(/_group$|_seconds$/, '').replaceAll('_', ' ')).join(', ')
}
