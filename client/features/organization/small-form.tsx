/** A form of some short texts, which is empty again once they are saved. */

import { useId } from 'preact/hooks'
import { useFormField } from '../../ui/use-form-field.ts'
import { SavedNote, useSaving } from '../../ui/saving.tsx'

interface SmallField<Name extends string> {
  readonly name: Name
  readonly label: string
  readonly placeholder: string
  readonly lengthMax: number
  readonly hint?: string
}

interface SmallFormProps<Name extends string> {
  readonly fields: readonly SmallField<Name>[]
  /** The text of the button, which also names the form. */
  readonly action: string
  readonly onSave: (values: Readonly<Record<Name, string>>) => Promise<unknown>
}

export function SmallForm<Name extends string>({ fields, action, onSave }: SmallFormProps<Name>) {
  const saving = useSaving()
  const empty = Object.fromEntries(fields.map(({ name }) => [name, ''])) as Record<Name, string>
  const values = useFormField<Readonly<Record<Name, string>>>(action, 'values', empty)
  const id = useId()
  const save = async (event: Event) => {
    event.preventDefault()
    const typed = values.peek()
    // Others may have been typed since.
    if ((await saving.save(() => onSave(typed))) && values.peek() === typed) values.value = empty
  }
  return (
    <form class="form" onSubmit={(event) => void save(event)}>
      <div class="setting-grid">
        {fields.map(({ name, label, placeholder, lengthMax, hint }) => (
          <div key={name} class="field">
            <label for={`${id}-${name}`}>{label}</label>
            <input
              id={`${id}-${name}`}
              required
              value={values.value[name]}
              placeholder={placeholder}
              maxLength={lengthMax}
              onInput={(event) => {
                values.value = { ...values.value, [name]: event.currentTarget.value }
              }}
            />
            {hint !== undefined && <small>{hint}</small>}
          </div>
        ))}
      </div>
      <div class="actions">
        <SavedNote saving={saving} />
        <button class="button primary">{action}</button>
      </div>
    </form>
  )
}
