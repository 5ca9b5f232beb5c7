/** Makes a linkifier, or changes one. */

import { LINKIFIER_TEXT_LENGTH_MAX } from '../../../packages/rules/limits.ts'
import { useId } from 'preact/hooks'
import type { Linkifier } from '../../../packages/client/src/wire-types.ts'
import { useApp } from '../../app/app.ts'
import { clearForm, useFormField } from '../../ui/use-form-field.ts'
import { SavedNote, useSaving } from '../../ui/saving.tsx'

const FORM = 'new linkifier'

interface LinkifierFormProps {
  /** Undefined for a new one. */
  readonly linkifier?: Linkifier
  readonly onClose: () => void
}

export function LinkifierForm({ linkifier, onClose }: LinkifierFormProps) {
  const app = useApp()
  const { api } = app
  const form = linkifier ? undefined : FORM
  const saving = useSaving()
  const pattern = useFormField(form, 'pattern', linkifier?.pattern ?? '')
  const template = useFormField(form, 'template', linkifier?.url_template ?? '')
  const example = useFormField(form, 'example', linkifier?.example_input ?? '')
  const reverse = useFormField(form, 'reverse', linkifier?.reverse_template ?? '')
  const id = useId()
  const close = () => {
    clearForm(app, FORM)
    onClose()
  }
  const save = async (event: Event) => {
    event.preventDefault()
    const given = {
      pattern: pattern.value,
      url_template: template.value,
      example_input: example.value,
      reverse_template: reverse.value,
      alternative_url_templates: linkifier?.alternative_url_templates,
    }
    const isSaved = await saving.save(() =>
      linkifier
        ? api.call('PATCH /realm/filters/{filter_id}', { filter_id: linkifier.id, ...given })
        : api.call('POST /realm/filters', given),
    )
    if (isSaved) close()
  }
  const fields = [
    {
      key: 'pattern',
      label: 'Pattern',
      value: pattern,
      hint: 'A regular expression. Use named groups such as (?P<id>[0-9]+) in the link.',
      placeholder: '#(?P<id>[0-9]+)',
      isRequired: true,
    },
    {
      key: 'template',
      label: 'Link',
      value: template,
      hint: 'The address, with {id} for the group of that name.',
      placeholder: 'https://tickets.example.com/{id}',
      isRequired: true,
    },
    {
      key: 'example',
      label: 'Example',
      value: example,
      hint: 'Text that matches the pattern, shown to people.',
      placeholder: '#123',
      isRequired: false,
    },
    {
      key: 'reverse',
      label: 'Text for pasted links',
      value: reverse,
      hint: 'Pasted links turn into this text. It must produce the example again.',
      placeholder: '#{id}',
      isRequired: false,
    },
  ]
  return (
    <form class="form part-form" onSubmit={(event) => void save(event)}>
      <div class="setting-grid">
        {fields.map(({ key, label, value, hint, placeholder, isRequired }) => (
          <div key={key} class="field">
            <label for={`${id}-${key}`}>{label}</label>
            <input
              id={`${id}-${key}`}
              value={value.value}
              required={isRequired}
              maxLength={LINKIFIER_TEXT_LENGTH_MAX}
              placeholder={placeholder}
              aria-describedby={`${id}-${key}-hint`}
              onInput={(event) => (value.value = event.currentTarget.value)}
            />
            <small id={`${id}-${key}-hint`}>{hint}</small>
          </div>
        ))}
      </div>
      <div class="actions">
        <SavedNote saving={saving} />
        <button type="button" class="button" onClick={close}>
          Cancel
        </button>
        <button class="button primary">Save</button>
      </div>
    </form>
  )
}
