/** The permissions of the organization in words, in groups that belong together. */

import type { ParamsOf } from '../../../packages/client/src/client.ts'

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
    title: 'People and groups',
    permissions: [
      {
        name: 'can_invite_users_group',
        label: 'Invite people by email',
        hint: 'Each invitation is for one person.',
        isForOwners: true,
      },
      {
        name: 'create_multiuse_invite_group',
        label: 'Create invitation links',
        hint: 'Anyone with the link can join.',
        isForOwners: true,
      },
      {
        name: 'can_access_all_users_group',
        label: 'See all people',
        hint: 'Others see only people in their own channels and conversations.',
      },
      {
        name: 'can_create_groups',
        label: 'Create groups',
        hint: 'The creator of a group can manage it.',
        isForOwners: true,
      },
      {
        name: 'can_manage_all_groups',
        label: 'Manage all groups',
        hint: 'Change the members and settings of every group.',
        isForOwners: true,
      },
    ],
  },
  {
    id: 'channels',
    title: 'Channels and topics',
    permissions: [
      {
        name: 'can_create_public_channel_group',
        label: 'Create public channels',
        hint: 'Everyone in the organization can read and join these.',
      },
      {
        name: 'can_create_private_channel_group',
        label: 'Create private channels',
        hint: 'Only members can see these.',
      },
      {
        name: 'can_create_web_public_channel_group',
        label: 'Create web-public channels',
        hint: 'Anyone on the web can read these.',
      },
      {
        name: 'can_add_subscribers_group',
        label: 'Add people to channels',
        hint: 'To channels they can read.',
      },
      {
        name: 'can_set_topics_policy_group',
        label: 'Choose whether a channel needs topics',
        hint: 'In channels whose settings they can change.',
      },
      {
        name: 'can_set_delete_message_policy_group',
        label: 'Choose who deletes messages in a channel',
        hint: 'In channels whose settings they can change.',
      },
      {
        name: 'can_resolve_topics_group',
        label: 'Resolve topics',
        hint: 'Mark topics as done, or reopen them.',
      },
    ],
  },
  {
    id: 'messages',
    title: 'Messages',
    permissions: [
      {
        name: 'can_move_messages_between_topics_group',
        label: 'Move messages to other topics',
        hint: 'Includes renaming topics.',
      },
      {
        name: 'can_move_messages_between_channels_group',
        label: 'Move messages to other channels',
        hint: 'To channels where they can post.',
      },
      {
        name: 'can_delete_own_message_group',
        label: 'Delete their own messages',
        hint: 'Within the time limit set in Messages.',
      },
      {
        name: 'can_delete_any_message_group',
        label: 'Delete others’ messages',
        hint: 'At any time, in channels they can read.',
      },
      {
        name: 'can_mention_many_users_group',
        label: 'Mention everyone in large channels',
        hint: 'Notifies all members.',
      },
    ],
  },
  {
    id: 'directs',
    title: 'Direct messages',
    permissions: [
      {
        name: 'direct_message_initiator_group',
        label: 'Start conversations',
        hint: 'Others can reply in existing conversations.',
      },
      {
        name: 'direct_message_permission_group',
        label: 'Authorize conversations',
        hint: 'Each conversation needs at least one of these people.',
      },
    ],
  },
  {
    id: 'others',
    title: 'Bots and emoji',
    permissions: [
      { name: 'can_create_bots_group', label: 'Create bots', hint: 'Bots of any kind.' },
      {
        name: 'can_create_write_only_bots_group',
        label: 'Create bots that only send messages',
        hint: 'Bots that can’t read messages.',
      },
      {
        name: 'can_add_custom_emoji_group',
        label: 'Add emoji',
        hint: 'Everyone can use them.',
      },
    ],
  },
]
