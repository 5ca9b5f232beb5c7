/** A limit on time, from a list with the present value. */

import { SettingChoice } from './organization-setting.tsx'
import { locale, t } from '../../texts/texts.ts'

const MINUTE_S = 60
const HOUR_S = 3_600
const DAY_S = 86_400
const COMMON_S = [2 * MINUTE_S, 10 * MINUTE_S, HOUR_S, DAY_S, 7 * DAY_S, 30 * DAY_S, 365 * DAY_S]
const UNLIMITED = 'unlimited'

interface TimeLimitProps {
  readonly name:
    | 'message_content_edit_limit_seconds'
    | 'message_content_delete_limit_seconds'
    | 'move_messages_within_stream_limit_seconds'
    | 'move_messages_between_streams_limit_seconds'
  readonly label: string
  readonly seconds: number | null | undefined
}

export function TimeLimit({ name, label, seconds }: TimeLimitProps) {
  const all = new Set([...COMMON_S, ...(seconds ? [seconds] : [])])
  return (
    <SettingChoice
      name={name}
      label={label}
      options={[
        ...[...all].sort((a, b) => a - b).map((one) => [String(one), durationText(one)] as const),
        [UNLIMITED, t('No limit')],
      ]}
      read={(value) => (value === null || value === undefined ? UNLIMITED : String(value))}
      write={(option) => (option === UNLIMITED ? UNLIMITED : Number(option))}
    />
  )
}

const UNITS = [
  [DAY_S, 'day'],
  [HOUR_S, 'hour'],
  [MINUTE_S, 'minute'],
  [1, 'second'],
] as const

/** In the largest unit that divides the time, such as "10 minutes". */
function durationText(seconds: number): string {
  const [size, unit] = UNITS.find(([one]) => seconds % one === 0) ?? [1, 'second']
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(seconds / size)
}
