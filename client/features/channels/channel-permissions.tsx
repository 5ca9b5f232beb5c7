/** Who may do what in a channel. */

import type { Channel } from '../../../packages/client/src/wire-types.ts'
import { useApp } from '../../app/app.ts'
import { PermissionChoice } from '../people/permission-choice.tsx'

const PERMISSIONS = [
  ['can_send_message_group', 'Who may post'],
  ['can_create_topic_group', 'Who may begin topics'],
  ['can_administer_channel_group', 'Who may change these settings'],
  ['can_add_subscribers_group', 'Who may add people'],
  ['can_subscribe_group', 'Who may join by themselves'],
  ['can_remove_subscribers_group', 'Who may remove people'],
  ['can_resolve_topics_group', 'Who may resolve topics'],
  ['can_move_messages_within_channel_group', 'Who may move messages to other topics'],
  ['can_move_messages_out_of_channel_group', 'Who may move messages to other channels'],
  ['can_delete_any_message_group', 'Who may delete messages of others'],
  ['can_delete_own_message_group', 'Who may delete their own messages'],
] as const

interface ChannelPermissionsProps {
  readonly channel: Channel
  readonly mayChange: boolean
}

export function ChannelPermissions({ channel, mayChange }: ChannelPermissionsProps) {
  const { api } = useApp()
  return (
    <section class="settings-part" aria-labelledby="channel-permissions">
      <h3 id="channel-permissions">Permissions</h3>
      <div class="setting-grid">
        {PERMISSIONS.map(([setting, label]) => (
          <PermissionChoice
            key={setting}
            label={label}
            kind="stream"
            setting={setting}
            value={channel[setting]}
            isDisabled={!mayChange}
            onSave={(groupId) =>
              // The former value guards against a change that somebody else made meanwhile.
              api.call('PATCH /streams/{stream_id}', {
                stream_id: channel.stream_id,
                [setting]: { new: groupId, old: channel[setting] },
              })
            }
          />
        ))}
      </div>
    </section>
  )
}
