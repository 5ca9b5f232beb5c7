/** The permissions of the organization in words, in groups that belong together. */

import type { ParamsOf } from '../../../packages/client/src/client.ts'
import { t } from '../../texts/texts.ts'

/** Names of permissions in the API. */
export type PermissionName = Extract<keyof ParamsOf<'PATCH /realm'>, `can_${string}` | `${string}_group`>

interface PermissionText {
  readonly name: PermissionName
  readonly label: string
  readonly hint: string
  /** Whether only owners may change it. */
  readonly isForOwners?: boolean
}

export const PERMISSION_PARTS: readonly {
  readonly id: string
  readonly title: string
  readonly permissions: readonly PermissionText[]
}[] = [
  {
    id: 'people',
    title: t('People and groups'),
    permissions: [
      {
        name: 'can_invite_users_group',
        label: t('Invite people by email'),
        hint: t('Each invitation is for one person.'),
        isForOwners: true,
      },
      {
        name: 'create_multiuse_invite_group',
        label: t('Create invitation links'),
        hint: t('Anyone with the link can join.'),
        isForOwners: true,
      },
      {
        name: 'can_access_all_users_group',
        label: t('See all people'),
        hint: t('Others see only people in their own channels and conversations.'),
      },
      {
        name: 'can_create_groups',
        label: t('Create groups'),
        hint: t('The creator of a group can manage it.'),
        isForOwners: true,
      },
      {
        name: 'can_manage_all_groups',
        label: t('Manage all groups'),
        hint: t('Change the members and settings of every group.'),
        isForOwners: true,
      },
    ],
  },
  {
    id: 'channels',
    title: t('Channels and topics'),
    permissions: [
      {
        name: 'can_create_public_channel_group',
        label: t('Create public channels'),
        hint: t('Everyone in the organization can read and join these.'),
      },
      {
        name: 'can_create_private_channel_group',
        label: t('Create private channels'),
        hint: t('Only members can see these.'),
      },
      {
        name: 'can_create_web_public_channel_group',
        label: t('Create web-public channels'),
        hint: t('Anyone on the web can read these.'),
      },
      {
        name: 'can_add_subscribers_group',
        label: t('Add people to channels'),
        hint: t('To channels they can read.'),
      },
      {
        name: 'can_set_topics_policy_group',
        label: t('Choose whether a channel needs topics'),
        hint: t('In channels whose settings they can change.'),
      },
      {
        name: 'can_set_delete_message_policy_group',
        label: t('Choose who deletes messages in a channel'),
        hint: t('In channels whose settings they can change.'),
      },
      {
        name: 'can_resolve_topics_group',
        label: t('Resolve topics'),
        hint: t('Mark topics as done, or reopen them.'),
      },
    ],
  },
  {
    id: 'messages',
    title: t('Messages'),
    permissions: [
      {
        name: 'can_move_messages_between_topics_group',
        label: t('Move messages to other topics'),
        hint: t('Includes renaming topics.'),
      },
      {
        name: 'can_move_messages_between_channels_group',
        label: t('Move messages to other channels'),
        hint: t('To channels where they can post.'),
      },
      {
        name: 'can_delete_own_message_group',
        label: t('Delete their own messages'),
        hint: t('Within the time limit set in Messages.'),
      },
      {
        name: 'can_delete_any_message_group',
        label: t('Delete others’ messages'),
        hint: t('At any time, in channels they can read.'),
      },
      {
        name: 'can_mention_many_users_group',
        label: t('Mention everyone in large channels'),
        hint: t('Notifies all members.'),
      },
    ],
  },
  {
    id: 'directs',
    title: t('Direct messages'),
    permissions: [
      {
        name: 'direct_message_initiator_group',
        label: t('Start conversations'),
        hint: t('Others can reply in existing conversations.'),
      },
      {
        name: 'direct_message_permission_group',
        label: t('Authorize conversations'),
        hint: t('Each conversation needs at least one of these people.'),
      },
    ],
  },
  {
    id: 'others',
    title: t('Bots and emoji'),
    permissions: [
      { name: 'can_create_bots_group', label: t('Create bots'), hint: t('Bots of any kind.') },
      {
        name: 'can_create_write_only_bots_group',
        label: t('Create bots that only send messages'),
        hint: t('Bots that can’t read messages.'),
      },
      {
        name: 'can_add_custom_emoji_group',
        label: t('Add emoji'),
        hint: t('Everyone can use them.'),
      },
    ],
  },
]
