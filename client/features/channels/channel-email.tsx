/** The address of a channel for emails, and who posts what arrives there. */

import { useSignal } from '@preact/signals'
import { useApp, useState } from '../../app/app.ts'
import { SelectField } from '../../ui/fields.tsx'
import { copyText } from '../../ui/copy-text.ts'
import { useLoaded } from '../../ui/use-loaded.ts'
import { t } from '../../texts/texts.ts'

/** The bot of the server posts. */
const SERVER = ''

interface ChannelEmailProps {
  readonly channelId: number
}

/** Shows nothing if the server takes no emails. */
export function ChannelEmail({ channelId }: ChannelEmailProps) {
  const { api } = useApp()
  const { value } = useLoaded(() =>
    api.call('GET /streams/{stream_id}/email_address', { stream_id: channelId }),
  )
  return value?.email ? <Sharing channelId={channelId} /> : null
}

function Sharing({ channelId }: ChannelEmailProps) {
  const state = useState()
  const sender = useSignal(SERVER)
  const own = String(state.user_id)
  const bots = (state.realm_bots ?? []).filter((one) => one.owner_id === state.user_id && one.is_active)
  const hint =
    sender.value === SERVER
      ? t('Anyone with this address can post. Each message names the sender of the email.')
      : sender.value === own
        ? t('Only emails from {address} are posted, as your messages.', {
            address: state.delivery_email ?? '',
          })
        : t('Anyone with this address can post as this bot.')
  return (
    <section class="settings-part" aria-labelledby="channel-email">
      <h3 id="channel-email">{t('Email to this channel')}</h3>
      <p class="quiet-text">
        {t(
          'Emails to this address become messages. The subject becomes the topic. Keep the address private.',
        )}
      </p>
      <SelectField
        label={t('Posted by')}
        hint={hint}
        value={sender}
        options={[
          [SERVER, t('The server’s bot')],
          [own, t('You')],
          ...bots.map((one) => [String(one.user_id), one.full_name] as const),
        ]}
      />
      <Address key={sender.value} channelId={channelId} sender={sender.value} />
    </section>
  )
}

/** The address for one sender; each has its own. */
function Address({ channelId, sender }: ChannelEmailProps & { readonly sender: string }) {
  const { api } = useApp()
  const { value, problem } = useLoaded(() =>
    api.call('GET /streams/{stream_id}/email_address', {
      stream_id: channelId,
      ...(sender === SERVER ? {} : { sender_id: Number(sender) }),
    }),
  )
  if (problem !== undefined) return <p class="problem">{problem}</p>
  if (!value) return null
  const { email } = value
  return (
    <div class="note key-shown">
      <code dir="ltr">{email}</code>
      <button class="button small" onClick={() => void copyText(email, t('Address copied'))}>
        {t('Copy')}
      </button>
    </div>
  )
}
