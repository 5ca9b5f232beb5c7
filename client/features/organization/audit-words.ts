/** Entries of the audit log in sentences, after the name of the person. */

import { roleName } from '../../../packages/rules/roles.ts'
import type { State } from '../../store/apply.ts'
import { channelsById } from '../../store/derived/channels.ts'
import { groupName, groupsById } from '../../store/derived/group-choices.ts'
import { nameOf } from '../../store/derived/users.ts'
import type { AuditEntry, AuditKind } from './audit-kinds.ts'

type EntryOf<Kind extends AuditKind> = Extract<AuditEntry, { readonly kind: Kind }>
type Describe<Kind extends AuditKind> = (details: EntryOf<Kind>['details'], names: Names) => string

/** Names for ids. */
interface Names {
  readonly user: (id: number | null) => string
  readonly channel: (id: number | null) => string
  readonly group: (id: number) => string
}

const FACTORS = {
  totp_on: 'set up an authenticator app',
  totp_off: 'turned off their authenticator app',
  codes_renewed: 'created new recovery codes',
  passkey_added: 'added a passkey',
  passkey_removed: 'removed a passkey',
} as const

const WORDS: { readonly [Kind in AuditKind]: Describe<Kind> } = {
  delete_message: ({ message_ids, stream_id }, { channel }) =>
    `deleted ${count(message_ids, 'message')} in ${channel(stream_id)}`,
  update_message: ({ message_ids, stream_id, new_stream_id }, { channel }) =>
    new_stream_id === null || new_stream_id === stream_id
      ? `moved ${count(message_ids, 'message')} to another topic in ${channel(stream_id)}`
      : `moved ${count(message_ids, 'message')} from ${channel(stream_id)} to ${channel(new_stream_id)}`,
  organization_created: ({ name }) => `created the organization ${name}`,
  'realm/update_dict': (changes) => `changed settings: ${settingNames(Object.keys(changes))}`,
  'realm/picture': ({ picture, uploaded }) =>
    `${uploaded ? 'changed' : 'removed'} the ${picture === 'icon' ? 'icon' : 'logo'} of the organization`,
  realm_linkifiers: () => 'changed the linkifiers',
  realm_playgrounds: () => 'changed the code playgrounds',
  'realm_domains/add': ({ realm_domain }) => `added the domain ${realm_domain.domain}`,
  'realm_domains/change': ({ realm_domain }) => `changed the domain ${realm_domain.domain}`,
  'realm_domains/remove': ({ realm_domain }) => `removed the domain ${realm_domain.domain}`,
  'realm_user_settings_defaults/update': ({ property }) =>
    `changed a default setting for new people: ${settingNames([property])}`,
  'realm_emoji/update': ({ name, deactivated }) => `${deactivated ? 'removed' : 'added'} the emoji :${name}:`,
  custom_profile_fields: () => 'changed the profile fields',
  'realm_user/add': ({ full_name, role, bot_type }) =>
    bot_type === null
      ? `created the account of ${full_name}, ${roleName(role)}`
      : `created the bot ${full_name}`,
  'realm_user/update': describeUserUpdate,
  'realm_user/avatar': ({ user_id }, { user }) => `changed the picture of ${user(user_id)}`,
  'realm_user/profile': ({ user_id }, { user }) => `changed the profile of ${user(user_id)}`,
  bot_setup_changed: ({ user_id }, { user }) => `changed the bot ${user(user_id)}`,
  api_keys_changed: ({ user_id }, { user }) => `changed the API key of ${user(user_id)}`,
  login_sessions_changed: ({ user_id, session_count }, { user }) =>
    `changed the sessions of ${user(user_id)}; ${count(session_count, 'session')} now`,
  password_set: ({ user_id }, { user }) => `set the password of ${user(user_id)}`,
  second_factors_changed: ({ user_id, change }, { user }) =>
    change === 'reset' ? `removed the second factors of ${user(user_id)}` : FACTORS[change],
  access_refused: describeRefusal,
  'stream/create': ({ streams }) =>
    streams.length === 1
      ? `created the channel #${streams[0]?.name}`
      : `created ${count(streams, 'channel')}`,
  'stream/update': ({ stream_id, property }, { channel }) =>
    `changed ${channel(stream_id)}: ${settingNames([property])}`,
  default_streams: () => 'changed the default channels',
  default_stream_groups: () => 'changed the groups of default channels',
  'channel_folder/add': ({ name }) => `created the folder ${name}`,
  'channel_folder/update': ({ name }) => `changed the folder ${name ?? ''}`,
  'channel_folder/reorder': () => 'reordered the folders',
  'subscription/add': ({ stream_ids, user_ids }, names) =>
    `added ${list(user_ids, names.user, 'people')} to ${list(stream_ids, names.channel, 'channels')}`,
  'subscription/remove': ({ stream_ids, user_ids }, names) =>
    `removed ${list(user_ids, names.user, 'people')} from ${list(stream_ids, names.channel, 'channels')}`,
  'user_group/add': ({ name }) => `created the group ${name}`,
  'user_group/update': ({ group_id, data }, { group }) =>
    `changed the group ${group(group_id)}: ${settingNames(Object.keys(data))}`,
  'user_group/add_members': ({ group_id, user_ids }, { user, group }) =>
    `added ${list(user_ids, user, 'people')} to the group ${group(group_id)}`,
  'user_group/remove_members': ({ group_id, user_ids }, { user, group }) =>
    `removed ${list(user_ids, user, 'people')} from the group ${group(group_id)}`,
  'user_group/add_subgroups': ({ group_id, direct_subgroup_ids: ids }, { group }) =>
    `added ${list(ids, group, 'groups')} to the group ${group(group_id)}`,
  'user_group/remove_subgroups': ({ group_id, direct_subgroup_ids: ids }, { group }) =>
    `removed ${list(ids, group, 'groups')} from the group ${group(group_id)}`,
  invites_changed: (details) => {
    if (details.op === 'made') return `created an invitation link, ${roleName(details.role)}`
    if (details.op === 'mailed') return `invited someone by email, ${roleName(details.role)}`
    if (details.op === 'resent') return 'sent an invitation again'
    if (details.op === 'linked') return 'got a personal invitation link'
    return details.op === 'revoked' ? 'revoked an invitation' : 'ended invitations of a deactivated person'
  },
  invitation_used: ({ user_id }, { user }) => `let ${user(user_id)} join by an invitation`,
}

/** The change of an entry in words. */
export function describeAudit(state: State, { kind, details }: AuditEntry): string {
  const channels = channelsById(state)
  const groups = groupsById(state)
  const describe = WORDS[kind] as (details: unknown, names: Names) => string
  return describe(details, {
    user: (id) => (id === null ? 'no one' : nameOf(state, id)),
    channel: (id) => {
      if (id === null) return 'direct messages'
      const found = channels.get(id)
      return found ? `#${found.channel.name}` : 'a channel you can’t see'
    },
    group: (id) => {
      const found = groups.get(id)
      return found ? groupName(found) : 'an unknown group'
    },
  })
}

function describeUserUpdate(
  { user_id, full_name, role, is_active, email_changed }: EntryOf<'realm_user/update'>['details'],
  { user }: Names,
): string {
  const name = user(user_id)
  const parts = [
    role === undefined ? '' : `changed the role of ${name} to ${roleName(role)}`,
    is_active === undefined ? '' : `${is_active ? 'reactivated' : 'deactivated'} ${name}`,
    full_name === undefined ? '' : `changed a name to ${full_name}`,
    email_changed ? `changed the address of ${name}` : '',
  ].filter(Boolean)
  return parts.length === 0 ? `changed the account of ${name}` : parts.join(', ')
}

const REFUSALS = {
  log_in: 'wrong password',
  code: 'wrong code',
  permission: 'refused request',
  key: 'invalid API key',
} as const

function describeRefusal(
  { refusal, user_id, network, operation, count: number }: EntryOf<'access_refused'>['details'],
  { user }: Names,
): string {
  const about = refusal === 'permission' ? (operation ?? '') : user_id === null ? '' : `for ${user(user_id)}`
  return [
    `noted ${count(number, REFUSALS[refusal])}`,
    about === '' ? '' : ` ${refusal === 'permission' ? `(${about})` : about}`,
    network === null ? ' from many addresses' : ` from ${network}`,
  ].join('')
}

const SHOWN_MAX = 3

function list<Id>(ids: readonly Id[], name: (id: Id) => string, plural: string): string {
  return ids.length > SHOWN_MAX ? `${ids.length} ${plural}` : ids.map(name).join(', ')
}

function count(items: readonly unknown[] | number, noun: string): string {
  const number = typeof items === 'number' ? items : items.length
  return number === 1 ? `one ${noun}` : `${number} ${noun}s`
}

/** Names of settings without the parts that only programs need. */
function settingNames(names: readonly string[]): string {
  return names.map((name) => name.replace(/_group$|_seconds$/, '').replaceAll('_', ' ')).join(', ')
}
