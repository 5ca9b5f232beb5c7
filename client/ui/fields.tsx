/** Fields of forms, each with its label and a hint. */

import type { Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

interface FieldProps {
  readonly label: string
  readonly hint?: ComponentChildren
}

interface TextProps extends FieldProps {
  readonly value: Signal<string>
  readonly dir?: 'auto' | 'ltr'
  readonly required?: boolean
  readonly disabled?: boolean
  readonly maxLength?: number | undefined
  readonly placeholder?: string
  readonly autoCapitalize?: 'off'
}

interface TextFieldProps extends TextProps {
  readonly type?: 'text' | 'email' | 'password' | 'date' | 'time' | 'datetime-local'
  readonly autoComplete?: string
  readonly pattern?: string
  readonly min?: string
  readonly max?: string
}

export function TextField({ label, hint, value, type = 'text', ...rest }: TextFieldProps) {
  const id = useId()
  return (
    <Field id={id} label={label} hint={hint}>
      <input
        {...directionOf(value)}
        {...rest}
        type={type as 'text'} // The types of Preact want one of each kind.
        id={id}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        value={value.value}
        onInput={(event) => (value.value = event.currentTarget.value)}
      />
    </Field>
  )
}

interface TextAreaFieldProps extends TextProps {
  readonly rows: number
}

export function TextAreaField({ label, hint, value, ...rest }: TextAreaFieldProps) {
  const id = useId()
  return (
    <Field id={id} label={label} hint={hint}>
      <textarea
        {...directionOf(value)}
        {...rest}
        id={id}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        value={value.value}
        onInput={(event) => (value.value = event.currentTarget.value)}
      />
    </Field>
  )
}

interface SelectFieldProps extends FieldProps {
  readonly value: Signal<string>
  readonly options: readonly (readonly [value: string, text: string])[]
}

export function SelectField({ label, hint, value, options }: SelectFieldProps) {
  const id = useId()
  return (
    <Field id={id} label={label} hint={hint}>
      <select
        id={id}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        value={value.value}
        onChange={(event) => (value.value = event.currentTarget.value)}
      >
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </Field>
  )
}

interface CheckFieldProps {
  readonly label: string
  readonly value: Signal<boolean>
}

/** In a group of them. */
export function CheckField({ label, value }: CheckFieldProps) {
  return (
    <label>
      <input
        type="checkbox"
        checked={value.value}
        onChange={(event) => {
          value.value = event.currentTarget.checked
        }}
      />
      {label}
    </label>
  )
}

/** An empty field has the direction of the page, and its placeholder too; with `auto` it would be from left to right. */
function directionOf(value: Signal<string>) {
  return value.value === '' ? {} : ({ dir: 'auto' } as const)
}

interface WholeFieldProps extends FieldProps {
  readonly id: string
  readonly children: ComponentChildren
}

function Field({ id, label, hint, children }: WholeFieldProps) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
      {hint !== undefined && <small id={`${id}-hint`}>{hint}</small>}
    </div>
  )
}
