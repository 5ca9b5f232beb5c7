/** A person's own settings of a channel: colour, pin, mute, and what it notifies about. */

import { useId } from 'preact/hooks'
import type { Subscription } from '../../../packages/client/src/wire-types.ts'
import { useApp, useState } from '../../app/app.ts'
import { type OwnProperty, setOwnProperty } from './subscription.ts'
import { SavedNote, useSaving } from '../../ui/saving.tsx'
import { Toggle } from '../../ui/setting.tsx'
import { t } from '../../texts/texts.ts'

const COLORS = [
  ['#c2410c', t('Rust')],
  ['#b45309', t('Amber')],
  ['#4d7c0f', t('Moss')],
  ['#15803d', t('Green')],
  ['#0f766e', t('Teal')],
  ['#0369a1', t('Blue')],
  ['#4338ca', t('Indigo')],
  ['#7e22ce', t('Violet')],
  ['#be185d', t('Pink')],
  ['#b91c1c', t('Red')],
  ['#57534e', t('Stone')],
  ['#475569', t('Slate')],
] as const

export function OwnChannelSettings({ subscription }: { readonly subscription: Subscription }) {
  const app = useApp()
  const settings = useState().user_settings
  const id = subscription.stream_id
  const save = (property: OwnProperty) => (value: boolean) => setOwnProperty(app, id, [property, value])
  const notifications = [
    ['desktop_notifications', t('Desktop notifications'), settings?.enable_stream_desktop_notifications],
    ['audible_notifications', t('Sounds'), settings?.enable_stream_audible_notifications],
    ['push_notifications', t('Push notifications'), settings?.enable_stream_push_notifications],
    ['email_notifications', t('Emails'), settings?.enable_stream_email_notifications],
    ['wildcard_mentions_notify', t('Mentions of everyone'), settings?.wildcard_mentions_notify],
  ] as const
  return (
    <section class="settings-part" aria-labelledby="own-channel">
      <h3 id="own-channel">{t('For you')}</h3>
      <ColorChoice subscription={subscription} />
      <Toggle label={t('Pin to top')} value={subscription.pin_to_top} onSave={save('pin_to_top')} />
      <Toggle
        label={t('Mute')}
        hint={t('Its messages don’t count as unread in the inbox, except in followed topics.')}
        value={subscription.is_muted}
        onSave={save('is_muted')}
      />
      <h4>{t('Notify me about all messages')}</h4>
      {notifications.map(([property, label, byDefault]) => (
        <Toggle
          key={property}
          label={label}
          value={subscription[property] ?? byDefault ?? false}
          onSave={save(property)}
        />
      ))}
    </section>
  )
}

function ColorChoice({ subscription: { stream_id, color } }: { readonly subscription: Subscription }) {
  const app = useApp()
  const saving = useSaving()
  const name = useId()
  const save = (value: string) => void saving.save(() => setOwnProperty(app, stream_id, ['color', value]))
  return (
    <fieldset class="colors">
      <legend>
        {t('Color')} <SavedNote saving={saving} />
      </legend>
      {COLORS.map(([value, text]) => (
        <label key={value} style={{ background: value }} title={text}>
          <input
            type="radio"
            name={name}
            checked={value === color.toLowerCase()}
            onChange={() => save(value)}
          />
          <span class="hidden">{text}</span>
        </label>
      ))}
      <label class="own-color" title={t('Custom colour')}>
        <input type="color" value={color} onChange={(event) => save(event.currentTarget.value)} />
        <span class="hidden">{t('Custom colour')}</span>
      </label>
    </fieldset>
  )
}
