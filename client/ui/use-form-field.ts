/** The fields of forms that are not sent yet: they survive a look at another view, as long as the page is open. */

import { type Signal, signal, useSignal } from '@preact/signals'
import { type App, useApp } from '../app/app.ts'

/** A field of a form, by the names of both; without a form it lasts as long as its view. */
export function useFormField<Value>(form: string | undefined, field: string, start: Value): Signal<Value> {
  const { forms } = useApp()
  const own = useSignal(start)
  if (form === undefined) return own
  const fields = forms.get(form) ?? new Map<string, Signal<unknown>>()
  forms.set(form, fields)
  const stored = fields.get(field) ?? signal<unknown>(start)
  fields.set(field, stored)
  return stored as Signal<Value>
}

/** After a form was sent or cancelled: it begins anew. */
export function clearForm({ forms }: App, form: string): void {
  forms.delete(form)
}
