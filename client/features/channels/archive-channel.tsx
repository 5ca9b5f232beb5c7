/** Archives a channel, or takes it out of the archive. */

import { useSignal } from '@preact/signals'
import type { Channel } from '../../../packages/client/src/wire-types.ts'
import { useApp } from '../../app/app.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { t } from '../../texts/texts.ts'

export function ArchiveChannel({ channel }: { readonly channel: Channel }) {
  const { api } = useApp()
  const isAsking = useSignal(false)
  const params = { stream_id: channel.stream_id }
  const change = () =>
    channel.is_archived
      ? api.call('PATCH /streams/{stream_id}', { ...params, is_archived: false })
      : api.call('DELETE /streams/{stream_id}', params)
  const verb = channel.is_archived ? t('Unarchive') : t('Archive')
  return (
    <section class="settings-part" aria-labelledby="channel-archive">
      <h3 id="channel-archive">{verb}</h3>
      <p class="quiet-text">
        {channel.is_archived
          ? t('People will be able to post again.')
          : t('No one will be able to post, and the channel leaves the sidebar. Its messages stay readable.')}
      </p>
      <div class="actions start">
        <button class="button danger" onClick={() => (isAsking.value = true)}>
          {channel.is_archived ? t('Unarchive channel') : t('Archive channel')}
        </button>
      </div>
      {isAsking.value && (
        <Confirm
          title={
            channel.is_archived
              ? t('Unarchive “{name}”?', { name: channel.name })
              : t('Archive “{name}”?', { name: channel.name })
          }
          action={verb}
          onConfirm={change}
          onClose={() => (isAsking.value = false)}
        />
      )}
    </section>
  )
}
