/**
 * The parts of pages for people: fields with their hints and problems, buttons, notes. A page has no styles and no script
 * of its own; `static/page.css` gives these parts their look.
 */

import { Html, html, NOTHING } from '../html.ts'

/** A field of a form, with its label. */
export interface Field {
  /** Also its id, unless `id` is given. */
  readonly name: string
  readonly id?: string
  readonly label: string
  readonly type?: 'text' | 'email' | 'password'
  /** The purpose, for browsers and programs that store passwords. */
  readonly autocomplete: string
  /** In characters. */
  readonly lengthMin?: number
  readonly lengthMax: number
  readonly value?: string
  /** Says below the label which values are right. */
  readonly hint?: string
  /** Says what is wrong with the value; the field gets the focus. */
  readonly problem?: string | undefined
  /** Marks a field that may stay empty. */
  readonly optional?: string
  readonly isReadOnly?: boolean
  /** Whether the page opens with the focus there; for one field of a page. */
  readonly hasFocus?: boolean
  readonly inputMode?: 'numeric'
}

interface ShownField extends Field {
  /** Whether screen readers announce the problem there; otherwise above the form. */
  readonly isAlert?: boolean
}

/** A field with its label, hint and problem. */
export function field(given: ShownField): Html {
  const { name, id = name, label, type = 'text', autocomplete, lengthMin, lengthMax, value } = given
  const { hint: hintText, problem: problemText, optional, isReadOnly, hasFocus, inputMode, isAlert } = given
  const hintId = `${id}-hint`
  const problemId = `${id}-problem`
  const described = [
    ...(hintText === undefined ? [] : [hintId]),
    ...(problemText === undefined ? [] : [problemId]),
  ].join(' ')
  return html`<div class="field">
<label for="${id}">${label}${optional === undefined ? NOTHING : html` <span class="optional">${optional}</span>`}</label>
${hintText === undefined ? NOTHING : html`<p class="hint" id="${hintId}">${hintText}</p>`}
${problemText === undefined ? NOTHING : html`<p class="wrong" id="${problemId}"${isAlert ? html` role="alert"` : NOTHING}>${problemText}</p>`}
<input id="${id}" name="${name}" type="${type}" autocomplete="${autocomplete}" maxlength="${String(lengthMax)}"${[
    attribute('minlength', lengthMin === undefined ? undefined : String(lengthMin)),
    attribute('inputmode', inputMode),
    attribute('value', value?.slice(0, lengthMax)),
    attribute('aria-describedby', described === '' ? undefined : described),
    attribute('aria-invalid', problemText === undefined ? undefined : 'true'),
    flag('required', optional === undefined && !isReadOnly),
    flag('readonly', isReadOnly),
    flag('autofocus', hasFocus || problemText !== undefined),
    // Names, addresses and codes are not words to correct.
    html` autocapitalize="${type === 'text' && autocomplete.endsWith('name') ? 'words' : 'none'}" spellcheck="false"`,
  ]}>
</div>`
}

/**
 * A long link to copy, shown whole: without script, the text of a field is the easiest to select. `static/copy.js` adds a
 * button.
 */
export function copyField({ id, label, hint: hintText, value, copy, copied }: CopiedText): Html {
  return html`<div class="field">
<label for="${id}">${label}</label>
<p class="hint" id="${id}-hint">${hintText}</p>
<textarea id="${id}" rows="2" readonly spellcheck="false" aria-describedby="${id}-hint" data-copy="${copy}" data-copied="${copied}">${value}</textarea>
</div>`
}

interface CopiedText {
  readonly id: string
  readonly label: string
  readonly hint: string
  readonly value: string
  /** The button of the script, before and after. */
  readonly copy: string
  readonly copied: string
}

/** A picture of a QR code, as its library draws it. */
export function qrPicture(svg: string, description: string): Html {
  const described = html`<svg class="qr" role="img" aria-label="${description}" `
  return new Html(svg.replace('<svg ', () => described.text))
}

/** A choice of a form, with its name, value `on` and an explanation. */
export function checkbox({ name, label, hint: hintText, isOn }: Choice): Html {
  return html`<div class="field choice">
<input id="${name}" name="${name}" type="checkbox" value="on" aria-describedby="${name}-hint"${flag('checked', isOn)}>
<label for="${name}">${label}</label>
<p class="hint" id="${name}-hint">${hintText}</p>
</div>`
}

interface Choice {
  readonly name: string
  readonly label: string
  readonly hint: string
  readonly isOn: boolean
}

/** One of several values of a form, with an explanation. */
export function radio({
  name,
  value,
  label,
  hint: hintText,
  isOn,
}: Choice & { readonly value: string }): Html {
  const id = `${name}-${value}`
  return html`<div class="field choice">
<input id="${id}" name="${name}" type="radio" value="${value}" aria-describedby="${id}-hint"${flag('checked', isOn)}>
<label for="${id}">${label}</label>
<p class="hint" id="${id}-hint">${hintText}</p>
</div>`
}

/** The look of a button: the purpose of the page, another way, or something that cannot be undone. */
export type ButtonLook = 'main' | 'quiet' | 'danger'

/** A button that submits its form, with a value if the form has several buttons. */
export function button(label: string, { look = 'main', name, value, isUnchecked }: ButtonOptions = {}): Html {
  return html`<button class="${look}"${[
    attribute('name', name),
    attribute('value', value),
    flag('formnovalidate', isUnchecked),
  ]}>${label}</button>`
}

interface ButtonOptions {
  readonly look?: ButtonLook
  readonly name?: string
  readonly value?: string
  /** Whether it works while required fields are empty. */
  readonly isUnchecked?: boolean
}

/** A link that looks like a button: it goes elsewhere and changes nothing. */
export function linkButton(label: string, href: string, look: ButtonLook = 'main'): Html {
  return html`<a class="button ${look}" href="${href}">${label}</a>`
}

/** Values that the form submits unseen. */
export function hidden(name: string, value: string | undefined): Html {
  return value === undefined ? NOTHING : html`<input type="hidden" name="${name}" value="${value}">`
}

/** A problem of the whole page, above its form. */
export interface Problem {
  readonly text: string
  /** The id of the field to correct: it gets the focus, and the text leads there. */
  readonly fieldId?: string | undefined
}

/** Says what went wrong. Screen readers announce it, and the page opens with the focus at it or at the field. */
export function problem({ text, fieldId }: Problem): Html {
  return fieldId === undefined
    ? html`<p class="problem" role="alert" tabindex="-1" autofocus>${text}</p>`
    : html`<p class="problem" role="alert"><a href="#${fieldId}">${text}</a></p>`
}

/** Elements inside a text. */
export const bold = (inside: Html) => html`<b>${inside}</b>`
export const isolated = (inside: Html) => html`<bdi>${inside}</bdi>`
export const code = (inside: Html) => html`<code>${inside}</code>`
export const linkTo = (href: string) => (inside: Html) => html`<a href="${href}">${inside}</a>`

/** Says that something has worked. */
export function done(content: string | Html): Html {
  return html`<p class="done" role="status">${content}</p>`
}

/** Says in a sentence what the page is for, below its title. */
export function lead(content: string | Html): Html {
  return html`<p class="lead">${content}</p>`
}

/** A smaller explanation. */
export function hint(content: string | Html): Html {
  return html`<p class="hint">${content}</p>`
}

/** Other ways from this page. */
export function links(...ways: readonly (readonly [label: string, href: string])[]): Html {
  return html`<p class="links">${ways.map(([label, href]) => html`<a href="${href}">${label}</a> `)}</p>`
}

/** A form of fields with one button. Shows values that were entered, except passwords, and what is wrong with them. */
export function form(
  fields: readonly Field[],
  label: string,
  { action, given = NONE_GIVEN, unseen = {}, choices = [], wrong }: FormOptions = {},
): Html {
  const wrongField = fields.find(({ id, name }) => (id ?? name) === wrong?.fieldId)
  // Beside the only field to fill in, its problem stands there alone.
  const isAlert = wrongField !== undefined && fields.filter(({ isReadOnly }) => !isReadOnly).length === 1
  const shown = fields.map((one) => {
    const entered = one.type === 'password' || one.isReadOnly ? undefined : given.get(one.name)
    const hasFocus = one.hasFocus === true && wrong === undefined
    const value = entered === undefined ? {} : { value: entered }
    return field({
      ...one,
      ...value,
      hasFocus,
      problem: one === wrongField ? wrong?.text : undefined,
      isAlert,
    })
  })
  return html`${wrong === undefined || isAlert ? NOTHING : problem(wrongField ? wrong : { text: wrong.text })}
<form method="post"${attribute('action', action)}>
${Object.entries(unseen).map(([name, value]) => hidden(name, value))}
${shown}
${choices}
${button(label)}
</form>`
}

/** Options of a form. */
export interface FormOptions {
  /** Without one it submits to the page's own address. */
  readonly action?: string
  /** The fields of the request: values that were entered before. */
  readonly given?: ReadonlyMap<string, string>
  /** Hidden values. */
  readonly unseen?: Readonly<Record<string, string | undefined>>
  /** Below the fields. */
  readonly choices?: readonly Html[]
  readonly wrong?: Problem | undefined
}

const NONE_GIVEN: ReadonlyMap<string, string> = new Map()

function attribute(name: string, value: string | undefined): Html {
  return value === undefined ? NOTHING : html` ${name}="${value}"`
}

function flag(name: string, isSet: boolean | undefined): Html {
  return isSet ? html` ${name}` : NOTHING
}
