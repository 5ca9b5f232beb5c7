/** The kinds of entries in the audit log, in groups for people. */

import type { ReplyOf } from '../../../packages/client/src/client.ts'
import { t } from '../../texts/texts.ts'

export type AuditEntry = ReplyOf<'GET /realm/audit_log'>['entries'][number]
export type AuditKind = AuditEntry['kind']

interface AuditKindGroup {
  readonly id: string
  readonly name: string
  readonly kinds: readonly AuditKind[]
}

export const AUDIT_KIND_GROUPS: readonly AuditKindGroup[] = [
  {
    id: 'accounts',
    name: t('Accounts and log-ins'),
    kinds: [
      'realm_user/add',
      'realm_user/update',
      'realm_user/avatar',
      'realm_user/profile',
      'bot_setup_changed',
      'api_keys_changed',
      'named_key_made',
      'named_keys_ended',
      'login_sessions_changed',
      'password_set',
      'second_factors_changed',
      'scim_token_changed',
      'access_refused',
    ],
  },
  { id: 'invitations', name: t('Invitations'), kinds: ['invites_changed', 'invitation_used'] },
  {
    id: 'settings',
    name: t('Organization settings'),
    kinds: [
      'organization_created',
      'realm/update_dict',
      'realm/picture',
      'realm_user_settings_defaults/update',
      'realm_linkifiers',
      'realm_playgrounds',
      'realm_domains/add',
      'realm_domains/change',
      'realm_domains/remove',
      'realm_emoji/update',
      'realm_export',
      'own_export',
      'realm_import',
      'custom_profile_fields',
      'default_streams',
      'default_stream_groups',
    ],
  },
  {
    id: 'channels',
    name: t('Channels'),
    kinds: [
      'stream/create',
      'stream/update',
      'subscription/add',
      'subscription/remove',
      'channel_folder/add',
      'channel_folder/update',
      'channel_folder/reorder',
    ],
  },
  {
    id: 'groups',
    name: t('Groups'),
    kinds: [
      'user_group/add',
      'user_group/update',
      'user_group/add_members',
      'user_group/remove_members',
      'user_group/add_subgroups',
      'user_group/remove_subgroups',
    ],
  },
  { id: 'messages', name: t('Deleted and moved messages'), kinds: ['delete_message', 'update_message'] },
  { id: 'legal-holds', name: t('Legal holds'), kinds: ['legal_hold/add', 'legal_hold/remove'] },
  { id: 'agents', name: t('Agents'), kinds: ['agent_wrote'] },
]
