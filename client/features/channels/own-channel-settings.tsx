/** A person's own settings of a channel: colour, pin, mute, and what it notifies about. */

import { useId } from 'preact/hooks'
import type { Subscription } from '../../../packages/client/src/wire-types.ts'
import { useApp, useState } from '../../app/app.ts'
import { type OwnProperty, setOwnProperty } from './subscription.ts'
import { SavedNote, useSaving } from '../../ui/saving.tsx'
import { Toggle } from '../../ui/setting.tsx'

const COLORS = [
  ['#c2410c', 'Rust'],
  ['#b45309', 'Amber'],
  ['#4d7c0f', 'Moss'],
  ['#15803d', 'Green'],
  ['#0f766e', 'Teal'],
  ['#0369a1', 'Blue'],
  ['#4338ca', 'Indigo'],
  ['#7e22ce', 'Violet'],
  ['#be185d', 'Pink'],
  ['#b91c1c', 'Red'],
  ['#57534e', 'Stone'],
  ['#475569', 'Slate'],
] as const

export function OwnChannelSettings({ subscription }: { readonly subscription: Subscription }) {
  const app = useApp()
  const settings = useState().user_settings
  const id = subscription.stream_id
  const save = (property: OwnProperty) => (value: boolean) => setOwnProperty(app, id, [property, value])
  const notifications = [
    ['desktop_notifications', 'Desktop notifications', settings?.enable_stream_desktop_notifications],
    ['audible_notifications', 'Sounds', settings?.enable_stream_audible_notifications],
    ['email_notifications', 'Emails', settings?.enable_stream_email_notifications],
    ['wildcard_mentions_notify', 'Mentions of everyone', settings?.wildcard_mentions_notify],
  ] as const
  return (
    <section class="settings-part" aria-labelledby="own-channel">
      <h3 id="own-channel">For you</h3>
      <ColorChoice subscription={subscription} />
      <Toggle label="Pin to top" value={subscription.pin_to_top} onSave={save('pin_to_top')} />
      <Toggle
        label="Mute"
        hint="Its messages don’t count as unread in the inbox, except in followed topics."
        value={subscription.is_muted}
        onSave={save('is_muted')}
      />
      <h4>Notify me about all messages</h4>
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
        Colour <SavedNote saving={saving} />
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
      <label class="own-color" title="Custom colour">
        <input type="color" value={color} onChange={(event) => save(event.currentTarget.value)} />
        <span class="hidden">Custom colour</span>
      </label>
    </fieldset>
  )
}
