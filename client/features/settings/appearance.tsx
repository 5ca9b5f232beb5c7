/** How the client looks, and what it opens with. */

import type { ParamsOf } from '../../../packages/client/src/client.ts'
import { LANGUAGES } from '../../../packages/texts/languages.ts'
import { inOwnDirection, t } from '../../texts/texts.ts'
import { language } from '../../texts/language.ts'
import { storeLanguage } from '../../texts/store-language.ts'
import { Choice } from '../../ui/setting.tsx'
import { SettingSwitches } from './setting-switches.tsx'
import { useOwnSettings } from './use-own-settings.ts'

type Changes = ParamsOf<'PATCH /settings'>

const SIZES = [
  ['14', t('Small')],
  ['16', t('Normal')],
  ['18', t('Large')],
  ['20', t('Very large')],
] as const
const HEIGHTS = [
  ['110', t('Compact')],
  ['122', t('Normal')],
  ['140', t('Relaxed')],
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
        title={t('Sidebar and messages')}
        switches={[
          ['starred_message_counts', t('Show the number of starred messages')],
          ['high_contrast_mode', t('High contrast')],
          ['parley_show_link_previews', t('Show previews of links')],
        ]}
      />
      <SettingSwitches
        title={t('Writing')}
        switches={[
          [
            'enter_sends',
            t('Press Enter to send'),
            t('Otherwise, Ctrl+Enter sends, and Enter starts a new line.'),
          ],
          ['translate_emoticons', t('Convert emoticons such as :) to emoji')],
          ['enable_drafts_synchronization', t('Sync drafts'), t('Drafts are on all of your devices.')],
        ]}
      />
      <SettingSwitches
        title={t('Privacy')}
        switches={[
          ['presence_enabled', t('Show when I’m online')],
          ['send_private_typing_notifications', t('Show when I’m typing in direct messages')],
          ['send_stream_typing_notifications', t('Show when I’m typing in channels')],
          ['send_read_receipts', t('Send read receipts')],
          ['receives_typing_notifications', t('Show when others are typing')],
        ]}
      />
    </>
  )
}

/** Whether people who speak the language count hours to 24. */
function hasLongClock(code: string): boolean {
  return new Intl.DateTimeFormat(code, { hour: 'numeric' }).resolvedOptions().hour12 === false
}

function Display() {
  const { settings, change } = useOwnSettings()
  if (!settings) return null
  const { color_scheme, web_home_view, web_font_size_px, web_line_height_percent } = settings
  return (
    <section class="settings-part">
      <h2>{t('Display')}</h2>
      <Choice
        label={t('Language')}
        value={language}
        options={Object.entries(LANGUAGES).map(([code, { name }]) => [code, name])}
        onSave={async (code) => {
          await change({ default_language: code, twenty_four_hour_time: hasLongClock(code) })
          if (storeLanguage(code)) location.reload()
        }}
      />
      <Choice
        label={t('Theme')}
        value={String(color_scheme)}
        options={[
          ['1', t('Match system')],
          ['3', t('Light')],
          ['2', t('Dark')],
        ]}
        onSave={(value) => change({ color_scheme: Number(value) as 1 | 2 | 3 })}
      />
      <Choice
        label={t('Text size')}
        value={String(web_font_size_px)}
        options={withValue(String(web_font_size_px), SIZES)}
        onSave={(value) => change({ web_font_size_px: Number(value) })}
      />
      <Choice
        label={t('Line height')}
        value={String(web_line_height_percent)}
        options={withValue(String(web_line_height_percent), HEIGHTS)}
        onSave={(value) => change({ web_line_height_percent: Number(value) })}
      />
      <Choice
        label={t('Clock')}
        value={settings.twenty_four_hour_time ? '24' : '12'}
        options={[
          ['24', '17:00'],
          ['12', inOwnDirection('5:00 PM')],
        ]}
        onSave={(value) => change({ twenty_four_hour_time: value === '24' })}
      />
      <Choice
        label={t('Home view')}
        value={web_home_view}
        options={[
          ['inbox', t('Inbox')],
          ['recent', t('Recent conversations')],
          ['all_messages', t('All messages')],
        ]}
        onSave={(value) => change({ web_home_view: value as NonNullable<Changes['web_home_view']> })}
      />
      <Choice
        label={t('Mark messages as read on scroll')}
        value={String(settings.web_mark_read_on_scroll_policy)}
        options={[
          ['1', t('Always')],
          ['2', t('Only in conversations')],
          ['3', t('Never')],
        ]}
        onSave={(value) => change({ web_mark_read_on_scroll_policy: Number(value) as 1 | 2 | 3 })}
      />
    </section>
  )
}
