/** Places a legal hold. */

import { HOLD_NAME_LENGTH_MAX, HOLD_REASON_LENGTH_MAX } from '../../../packages/rules/limits.ts'
import { useApp } from '../../app/app.ts'
import type { State } from '../../store/apply.ts'
import { findEveryone } from '../../store/derived/administered-people.ts'
import { SelectField, TextAreaField, TextField } from '../../ui/fields.tsx'
import { PartForm } from '../../ui/part-form.tsx'
import { useFormField } from '../../ui/use-form-field.ts'
import { ChannelPicker } from '../channels/channel-picker.tsx'
import { PeoplePicker } from '../people/people-picker.tsx'
import { t } from '../../texts/texts.ts'

const FORM = 'legal-hold'

const EXTENTS = [
  ['named', t('Certain people and channels')],
  ['everything', t('The whole organization')],
] as const

interface NewHoldProps {
  readonly onPlaced: () => void
  readonly onClose: () => void
}

export function NewHold({ onPlaced, onClose }: NewHoldProps) {
  const { api } = useApp()
  const name = useFormField(FORM, 'name', '')
  const reason = useFormField(FORM, 'reason', '')
  const extent = useFormField<string>(FORM, 'extent', 'named')
  const userIds = useFormField<readonly number[]>(FORM, 'people', [])
  const channelIds = useFormField<readonly number[]>(FORM, 'channels', [])
  const isNamed = extent.value === 'named'
  const place = async () => {
    await api.call('POST /legal_holds', {
      name: name.value,
      reason: reason.value,
      ...(isNamed ? { user_ids: userIds.value, stream_ids: channelIds.value } : { whole_organization: true }),
    })
    onPlaced()
  }
  return (
    <PartForm
      form={FORM}
      action={t('Place hold')}
      label={t('New legal hold')}
      onSave={place}
      onClose={onClose}
    >
      <TextField
        label={t('Name')}
        value={name}
        required
        maxLength={HOLD_NAME_LENGTH_MAX}
        placeholder={t('Case 2026-14')}
      />
      <TextAreaField
        label={t('Reason')}
        value={reason}
        rows={2}
        required
        maxLength={HOLD_REASON_LENGTH_MAX}
        hint={t('Owners see it here and in the audit log.')}
      />
      <SelectField label={t('Applies to')} value={extent} options={EXTENTS} />
      {isNamed ? (
        <div class="setting-grid">
          <PeoplePicker
            label={t('People and bots')}
            chosen={userIds.value}
            onChange={(next) => (userIds.value = next)}
            without={[]}
            find={findAll}
          />
          <ChannelPicker
            label={t('Channels')}
            chosen={channelIds.value}
            onChange={(next) => (channelIds.value = next)}
          />
        </div>
      ) : (
        <p class="quiet-text">{t('All messages and files of everyone are held.')}</p>
      )}
    </PartForm>
  )
}

/** Also people who have left: their messages may matter most. */
function findAll(state: State, text: string, limit: number) {
  return findEveryone(state, text)
    .toSorted((one, other) => Number(other.is_active) - Number(one.is_active))
    .slice(0, limit)
}
