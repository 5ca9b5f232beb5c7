/** The permissions in a channel. */

import type { Channel } from '../../../packages/client/src/wire-types.ts'
import { useApp } from '../../app/app.ts'
import { PermissionChoice } from '../people/permission-choice.tsx'
import { t } from '../../texts/texts.ts'

const PERMISSIONS = [
  ['can_send_message_group', t('Who can post')],
  ['can_create_topic_group', t('Who can start topics')],
  ['can_pin_group', t('Who can pin messages and topics')],
  ['can_administer_channel_group', t('Who can change these settings')],
  ['can_add_subscribers_group', t('Who can add people')],
  ['can_subscribe_group', t('Who can join')],
  ['can_remove_subscribers_group', t('Who can remove people')],
  ['can_resolve_topics_group', t('Who can resolve topics')],
  ['can_move_messages_within_channel_group', t('Who can move messages to other topics')],
  ['can_move_messages_out_of_channel_group', t('Who can move messages to other channels')],
  ['can_delete_any_message_group', t('Who can delete others’ messages')],
  ['can_delete_own_message_group', t('Who can delete their own messages')],
] as const

interface ChannelPermissionsProps {
  readonly channel: Channel
  readonly mayChange: boolean
}

export function ChannelPermissions({ channel, mayChange }: ChannelPermissionsProps) {
  const { api } = useApp()
  return (
    <section class="settings-part" aria-labelledby="channel-permissions">
      <h3 id="channel-permissions">{t('Permissions')}</h3>
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
