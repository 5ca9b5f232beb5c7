/** The days after which messages are deleted. A shorter time deletes at once, so it is asked for again. */

import { RETENTION_DAYS_MAX } from '../../../packages/rules/limits.ts'
import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { useApp, useState } from '../../app/app.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { SavedNote, useSaving } from '../../ui/saving.tsx'
import { saveSetting } from './organization-setting.tsx'
import { t } from '../../texts/texts.ts'

const UNLIMITED = -1

export function RetentionSetting() {
  const app = useApp()
  const state = useState()
  const saving = useSaving()
  const typed = useSignal<string | undefined>(undefined)
  const asked = useSignal<number | undefined>(undefined)
  const id = useId()
  const now = state.realm_message_retention_days ?? UNLIMITED
  const shown = typed.value ?? (now === UNLIMITED ? '' : String(now))
  const save = (days: number | 'unlimited') => saveSetting(app, 'message_retention_days', days)
  const submit = (event: Event) => {
    event.preventDefault()
    const days = shown.trim() === '' ? UNLIMITED : Number(shown)
    if (days === now) return
    if (days !== UNLIMITED && (now === UNLIMITED || days < now)) asked.value = days
    else void saving.save(() => save(days === UNLIMITED ? 'unlimited' : days)).then(forget)
  }
  const forget = (isSaved: boolean) => {
    if (isSaved) typed.value = undefined
  }
  return (
    <form class="inline-form" onSubmit={submit}>
      <div class="field">
        <label for={id}>
          {t('Delete messages after days')} <SavedNote saving={saving} />
        </label>
        <input
          id={id}
          type="number"
          min={1}
          max={RETENTION_DAYS_MAX}
          placeholder={t('Never')}
          value={shown}
          disabled={!state.is_owner}
          aria-describedby={`${id}-hint`}
          onInput={(event) => (typed.value = event.currentTarget.value)}
        />
        <small id={`${id}-hint`}>
          {t(
            'Leave empty to keep messages forever. Channels can have their own limit. Only owners can change this.',
          )}
        </small>
      </div>
      {state.is_owner && <button class="button">{t('Save')}</button>}
      {asked.value !== undefined && (
        <Confirm
          title={t('Delete old messages?')}
          action={t('Delete old messages')}
          onConfirm={() => save(asked.value ?? now).then(() => forget(true))}
          onClose={() => (asked.value = undefined)}
        >
          <p>
            {t(
              'Messages older than {days} days will be deleted, with their files, in direct messages and in all channels without their own limit. This starts now, and can’t be undone.',
              { days: asked.value },
            )}
          </p>
        </Confirm>
      )}
    </form>
  )
}
