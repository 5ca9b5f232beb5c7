/** Quiet hours of each week: on which days they begin, from when, and until when. */

import { useId } from 'preact/hooks'
import {
  formatQuietHours,
  parseQuietHours,
  QUIET_SPANS_MAX,
  type QuietSpan,
} from '../../../packages/rules/silence.ts'
import { locale, t } from '../../texts/texts.ts'
import { SavedNote, useSavedValue } from '../../ui/saving.tsx'
import { clockTime } from '../../ui/times.ts'

const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7]
/** The suggestions for the first hours, and for others. */
const NIGHT: QuietSpan = { days: EVERY_DAY, fromMinute: 22 * 60, untilMinute: 7 * 60 }
const WEEKEND: QuietSpan = { days: [6, 7], fromMinute: 0, untilMinute: 0 }
const HALF_HOUR_MINUTES = 30
const DAY_MINUTES = 1_440

interface QuietHoursFieldsProps {
  readonly text: string
  readonly onSave: (text: string) => Promise<unknown>
}

export function QuietHoursFields({ text, onSave }: QuietHoursFieldsProps) {
  const { saving, shown, choose } = useSavedValue(text, onSave)
  const hours = parseQuietHours(shown)
  const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const { spans, zone } = hours ?? { spans: [], zone: ownZone }
  const save = (next: readonly QuietSpan[], inZone = zone) =>
    void choose(formatQuietHours({ spans: next, zone: inZone }))
  return (
    <>
      <h3>{t('Quiet hours')}</h3>
      {spans.length > 0 && (
        <div>
          {spans.map((span, index) => (
            <SpanFields
              key={index}
              name={t('Quiet hours {number}', { number: index + 1 })}
              span={span}
              onChange={(next) => save(spans.with(index, next))}
              onRemove={() => save(spans.toSpliced(index, 1))}
            />
          ))}
        </div>
      )}
      {hours && (
        <p class="quiet-text">
          {t('Times are in {zone}.', { zone: zoneName(zone) })}{' '}
          {zone !== ownZone && (
            <button class="link" onClick={() => save(spans, ownZone)}>
              {t('Use {zone}', { zone: zoneName(ownZone) })}
            </button>
          )}
        </p>
      )}
      <div class="actions start">
        {spans.length < QUIET_SPANS_MAX && (
          <button class="button" onClick={() => save([...spans, spans.length === 0 ? NIGHT : WEEKEND])}>
            {t('Add quiet hours')}
          </button>
        )}
        <SavedNote saving={saving} />
      </div>
    </>
  )
}

interface SpanFieldsProps {
  readonly name: string
  readonly span: QuietSpan
  readonly onChange: (span: QuietSpan) => void
  readonly onRemove: () => void
}

function SpanFields({ name, span, onChange, onRemove }: SpanFieldsProps) {
  const { days, fromMinute, untilMinute } = span
  const toggle = (day: number) => {
    const next = EVERY_DAY.filter((one) => (one === day) !== days.includes(one))
    if (next.length > 0) onChange({ ...span, days: next })
  }
  return (
    <div class="quiet-span" role="group" aria-label={name}>
      <div class="quiet-days">
        {EVERY_DAY.map((day) => (
          <button
            key={day}
            class="segment"
            aria-pressed={days.includes(day)}
            title={dayName(day, 'long')}
            onClick={() => toggle(day)}
          >
            {dayName(day, 'short')}
          </button>
        ))}
      </div>
      <button class="button small" onClick={onRemove}>
        {t('Remove')}
      </button>
      <div class="quiet-times">
        <TimeField
          label={t('From')}
          minute={fromMinute}
          onChange={(minute) => onChange({ ...span, fromMinute: minute })}
        />
        <TimeField
          label={t('Until')}
          minute={untilMinute}
          onChange={(minute) => onChange({ ...span, untilMinute: minute })}
        />
        {untilMinute <= fromMinute && (
          <small>{untilMinute === fromMinute ? t('a whole day') : t('the next day')}</small>
        )}
      </div>
    </div>
  )
}

interface TimeFieldProps {
  readonly label: string
  readonly minute: number
  readonly onChange: (minute: number) => void
}

function TimeField({ label, minute, onChange }: TimeFieldProps) {
  const id = useId()
  // Another client may have set a time between them.
  const minutes = new Set([minute])
  for (let one = 0; one < DAY_MINUTES; one += HALF_HOUR_MINUTES) minutes.add(one)
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={minute} onChange={(event) => onChange(Number(event.currentTarget.value))}>
        {[...minutes]
          .sort((a, b) => a - b)
          .map((one) => (
            <option key={one} value={one}>
              {clockTime(new Date(2000, 0, 1, 0, one).getTime() / 1_000)}
            </option>
          ))}
      </select>
    </div>
  )
}

/** The name of a day, 1 for Monday. The year 2001 began with one. */
function dayName(day: number, weekday: 'long' | 'short'): string {
  return new Intl.DateTimeFormat(locale, { weekday }).format(new Date(2001, 0, day))
}

const zoneName = (zone: string) => zone.replaceAll('_', ' ')
