/** Settings that save themselves: a switch, a choice, and a text. */

import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { Confirm } from './confirm.tsx'
import { SavedNote, useSavedValue } from './saving.tsx'

interface SettingProps<Value> {
  readonly label: string
  readonly hint?: string | undefined
  readonly value: Value
  readonly onSave: (value: Value) => Promise<unknown>
  readonly isDisabled?: boolean | undefined
}

export function Toggle({ label, hint, value, onSave, isDisabled }: SettingProps<boolean>) {
  const { saving, shown, choose } = useSavedValue(value, onSave)
  const id = useId()
  return (
    <div class="setting toggle">
      <input
        id={id}
        type="checkbox"
        checked={shown}
        disabled={isDisabled}
        onChange={(event) => void choose(event.currentTarget.checked)}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
      />
      <div>
        <label for={id}>{label}</label>
        <SavedNote saving={saving} />
        {hint !== undefined && <small id={`${id}-hint`}>{hint}</small>}
      </div>
    </div>
  )
}

interface ChoiceProps extends SettingProps<string> {
  readonly options: readonly (readonly [value: string, text: string])[]
  /** A question before a value is saved; undefined if it needs none. */
  readonly questionOf?: (value: string) => Question | undefined
}

interface Question {
  readonly title: string
  readonly text: string
  /** The text of the button that saves it. */
  readonly action: string
}

export function Choice({ label, hint, value, options, onSave, isDisabled, questionOf }: ChoiceProps) {
  const { saving, shown, choose } = useSavedValue(value, onSave)
  const asked = useSignal<string | undefined>(undefined)
  const id = useId()
  const question = asked.value === undefined ? undefined : questionOf?.(asked.value)
  const change = (next: string) => {
    if (questionOf?.(next)) asked.value = next
    else void choose(next)
  }
  return (
    <div class="setting field">
      <label for={id}>
        {label} <SavedNote saving={saving} />
      </label>
      <select
        id={id}
        value={asked.value ?? shown}
        disabled={isDisabled}
        onChange={(event) => change(event.currentTarget.value)}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
      >
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
      {hint !== undefined && <small id={`${id}-hint`}>{hint}</small>}
      {question && (
        <Confirm
          title={question.title}
          action={question.action}
          onConfirm={() => choose(asked.peek() ?? value)}
          onClose={() => (asked.value = undefined)}
        >
          <p>{question.text}</p>
        </Confirm>
      )}
    </div>
  )
}

interface TextSettingProps extends SettingProps<string> {
  readonly lengthMax?: number | undefined
  readonly isDate?: boolean
  readonly isLong?: boolean
}

/** Saves when the field is left, and on Enter. */
export function TextSetting(props: TextSettingProps) {
  const { label, hint, value, onSave, isDisabled, lengthMax, isDate = false, isLong = false } = props
  const { saving, shown, choose } = useSavedValue(value, onSave)
  const typed = useSignal<string | undefined>(undefined)
  const id = useId()
  const change = async () => {
    const next = typed.peek()
    if (next === undefined || next === shown) return
    // A refused text stays in the field, to be mended.
    if ((await choose(next)) && typed.peek() === next) typed.value = undefined
  }
  const shared = {
    id,
    value: typed.value ?? shown,
    disabled: isDisabled,
    maxLength: lengthMax,
    dir: 'auto' as const,
    onBlur: () => void change(),
    'aria-describedby': hint === undefined ? undefined : `${id}-hint`,
  }
  return (
    <div class="setting field">
      <label for={id}>
        {label} <SavedNote saving={saving} />
      </label>
      {isLong && (
        <textarea {...shared} rows={3} onInput={(event) => (typed.value = event.currentTarget.value)} />
      )}
      {isDate && (
        <input {...shared} type="date" onInput={(event) => (typed.value = event.currentTarget.value)} />
      )}
      {!isLong && !isDate && (
        <input
          {...shared}
          onInput={(event) => (typed.value = event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.isComposing) void change()
          }}
        />
      )}
      {hint !== undefined && <small id={`${id}-hint`}>{hint}</small>}
    </div>
  )
}
