/** A legal hold in the list, with the way to lift it. */

import { useSignal } from '@preact/signals'
import { useApp, useState } from '../../app/app.ts'
import { nameOf } from '../../store/derived/users.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { dayAndTime } from '../../ui/day-and-time.ts'
import { HoldTarget } from './hold-target.tsx'
import type { Hold, LiftedHold } from './use-holds.ts'
import { t } from '../../texts/texts.ts'

interface HoldCardProps {
  readonly hold: Hold
  readonly onLifted: () => void
}

export function HoldCard({ hold, onLifted }: HoldCardProps) {
  const { api } = useApp()
  const state = useState()
  const isAsked = useSignal(false)
  const { id, name, reason, placed_by: placerId, placed_at: placedAt, kept_messages: count } = hold
  const close = () => (isAsked.value = false)
  return (
    <li class="card hold">
      <div class="card-text">
        <strong class="card-name" dir="auto">
          {name}
        </strong>
        <p dir="auto">{reason}</p>
        <HoldTarget target={hold} />
        <small>
          {t('Placed by {name}, {time}', { name: nameOf(state, placerId), time: dayAndTime(placedAt) })}
        </small>
        <small>
          {count === 0
            ? t('No deleted messages kept yet')
            : t('{count, plural, one {# deleted message} other {# deleted messages}} kept', { count })}
        </small>
      </div>
      <button
        class="button small danger"
        aria-label={t('Lift {name}', { name })}
        onClick={() => (isAsked.value = true)}
      >
        {t('Lift')}
      </button>
      {isAsked.value && (
        <Confirm
          title={t('Lift the hold “{name}”?', { name })}
          action={t('Lift hold')}
          onConfirm={async () => {
            await api.call('DELETE /legal_holds/{legal_hold_id}', { legal_hold_id: id })
            onLifted()
          }}
          onClose={close}
        >
          <p>
            {t(
              'Within minutes, the deleted messages and files that no other hold keeps are removed for good. Export the hold first if you need them.',
            )}
          </p>
          {count > 0 && (
            <p>
              {t('It keeps {count, plural, one {# deleted message} other {# deleted messages}}.', { count })}
            </p>
          )}
        </Confirm>
      )}
    </li>
  )
}

/** A hold that was lifted, by the audit log. */
export function LiftedCard({ hold: { name, lifted, placed } }: { readonly hold: LiftedHold }) {
  const state = useState()
  const by = (id: number | null) => (id === null ? t('The server') : nameOf(state, id))
  return (
    <li class="card hold">
      <div class="card-text">
        <strong class="card-name" dir="auto">
          {name}
        </strong>
        {placed && (
          <>
            <p dir="auto">{placed.details.reason}</p>
            <HoldTarget target={placed.details} />
            <small>
              {t('Placed by {name}, {time}', {
                name: by(placed.acting_user_id),
                time: dayAndTime(placed.timestamp),
              })}
            </small>
          </>
        )}
        <small>
          {t('Lifted by {name}, {time}', {
            name: by(lifted.acting_user_id),
            time: dayAndTime(lifted.timestamp),
          })}
        </small>
      </div>
    </li>
  )
}
