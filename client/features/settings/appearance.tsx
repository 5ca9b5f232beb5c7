/** How the client looks, and what it opens with. */

import type { ParamsOf } from '../../../packages/client/src/client.ts'
import { Choice } from '../../ui/setting.tsx'
import { SettingSwitches } from './setting-switches.tsx'
import { useOwnSettings } from './use-own-settings.ts'

type Changes = ParamsOf<'PATCH /settings'>

const SIZES = [
  ['14', 'Small'],
  ['16', 'Normal'],
  ['18', 'Large'],
  ['20', 'Very large'],
] as const
const HEIGHTS = [
  ['110', 'Compact'],
  ['122', 'Normal'],
  ['140', 'Relaxed'],
] as const

/** The present value is always among the choices. */
function withValue(value: string, options: readonly (readonly [string, string])[]) {
  return options.some(([one]) => one === value) ? options : [...options, [value, value] as const]
}

export function Appearance() {
  return (
    <>
      <Display />
      <SettingSwitches
        title="Sidebar and messages"
        switches={[
          ['starred_message_counts', 'Show the number of starred messages'],
          ['high_contrast_mode', 'High contrast'],
        ]}
      />
      <SettingSwitches
        title="Writing"
        switches={[
          ['enter_sends', 'Press Enter to send', 'Otherwise, Ctrl+Enter sends, and Enter starts a new line.'],
          ['translate_emoticons', 'Convert emoticons such as :) to emoji'],
          ['enable_drafts_synchronization', 'Sync drafts', 'Drafts are on all of your devices.'],
        ]}
      />
      <SettingSwitches
        title="Privacy"
        switches={[
          ['presence_enabled', 'Show when I’m online'],
          ['send_private_typing_notifications', 'Show when I’m typing in direct messages'],
          ['send_stream_typing_notifications', 'Show when I’m typing in channels'],
          ['send_read_receipts', 'Send read receipts'],
          ['receives_typing_notifications', 'Show when others are typing'],
        ]}
      />
    </>
  )
}

function Display() {
  const { settings, change } = useOwnSettings()
  if (!settings) return null
  const { color_scheme, web_home_view, web_font_size_px, web_line_height_percent } = settings
  return (
    <section class="settings-part">
      <h2>Display</h2>
      <Choice
        label="Theme"
        value={String(color_scheme)}
        options={[
          ['1', 'Match system'],
          ['3', 'Light'],
          ['2', 'Dark'],
        ]}
        onSave={(value) => change({ color_scheme: Number(value) as 1 | 2 | 3 })}
      />
      <Choice
        label="Text size"
        value={String(web_font_size_px)}
        options={withValue(String(web_font_size_px), SIZES)}
        onSave={(value) => change({ web_font_size_px: Number(value) })}
      />
      <Choice
        label="Line height"
        value={String(web_line_height_percent)}
        options={withValue(String(web_line_height_percent), HEIGHTS)}
        onSave={(value) => change({ web_line_height_percent: Number(value) })}
      />
      <Choice
        label="Clock"
        value={settings.twenty_four_hour_time ? '24' : '12'}
        options={[
          ['24', '17:00'],
          ['12', '5:00 PM'],
        ]}
        onSave={(value) => change({ twenty_four_hour_time: value === '24' })}
      />
      <Choice
        label="Home view"
        value={web_home_view}
        options={[
          ['inbox', 'Inbox'],
          ['recent', 'Recent conversations'],
          ['all_messages', 'All messages'],
        ]}
        onSave={(value) => change({ web_home_view: value as NonNullable<Changes['web_home_view']> })}
      />
      <Choice
        label="Mark messages as read on scroll"
        value={String(settings.web_mark_read_on_scroll_policy)}
        options={[
          ['1', 'Always'],
          ['2', 'Only in conversations'],
          ['3', 'Never'],
        ]}
        onSave={(value) => change({ web_mark_read_on_scroll_policy: Number(value) as 1 | 2 | 3 })}
      />
    </section>
  )
}
