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
        label: 'Invite people by mail',
        hint: 'They send invitations to addresses; each is for one person.',
        isForOwners: true,
      },
      {
        name: 'create_multiuse_invite_group',
        label: 'Create invitation links',
        hint: 'Anybody who has such a link can join.',
        isForOwners: true,
      },
      {
        name: 'can_access_all_users_group',
        label: 'See all people',
        hint: 'Others see only people of their own channels and conversations.',
      },
      {
        name: 'can_create_groups',
        label: 'Create groups',
        hint: 'The creator of a group manages it.',
        isForOwners: true,
      },
      {
        name: 'can_manage_all_groups',
        label: 'Manage all groups',
        hint: 'They change the members and settings of every group.',
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
        hint: 'Everybody in the organization can read and join these.',
      },
      {
        name: 'can_create_private_channel_group',
        label: 'Create private channels',
        hint: 'Only their members see these.',
      },
      {
        name: 'can_create_web_public_channel_group',
        label: 'Create channels on the web',
        hint: 'Anybody on the internet can read these.',
      },
      {
        name: 'can_add_subscribers_group',
        label: 'Add people to channels',
        hint: 'To channels that they can read themselves.',
      },
      {
        name: 'can_set_topics_policy_group',
        label: 'Choose whether a channel needs topics',
        hint: 'In channels whose settings they may change.',
      },
      {
        name: 'can_set_delete_message_policy_group',
        label: 'Choose who deletes messages in a channel',
        hint: 'In channels whose settings they may change.',
      },
      {
        name: 'can_resolve_topics_group',
        label: 'Resolve topics',
        hint: 'They mark a topic as done, and open it again.',
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
        hint: 'Also renames topics.',
      },
      {
        name: 'can_move_messages_between_channels_group',
        label: 'Move messages to other channels',
        hint: 'To channels where they may post.',
      },
      {
        name: 'can_delete_own_message_group',
        label: 'Delete their own messages',
        hint: 'Within the time that the section Messages gives.',
      },
      {
        name: 'can_delete_any_message_group',
        label: 'Delete messages of others',
        hint: 'At any time, in channels that they can read.',
      },
      {
        name: 'can_mention_many_users_group',
        label: 'Mention everybody in large channels',
        hint: 'Such a mention notifies all of them.',
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
        hint: 'Others can answer in conversations that exist.',
      },
      {
        name: 'direct_message_permission_group',
        label: 'Be the one who makes a conversation possible',
        hint: 'At least one person of each conversation must be in this group.',
      },
    ],
  },
  {
    id: 'others',
    title: 'Bots and emoji',
    permissions: [
      { name: 'can_create_bots_group', label: 'Create bots', hint: 'Of every kind.' },
      {
        name: 'can_create_write_only_bots_group',
        label: 'Create bots that only send',
        hint: 'They cannot read messages.',
      },
      {
        name: 'can_add_custom_emoji_group',
        label: 'Add emoji',
        hint: 'Everybody can use them.',
      },
    ],
  },
]
