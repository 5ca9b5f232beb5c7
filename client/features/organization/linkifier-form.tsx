/** Makes a linkifier, or changes one. */

import { LINKIFIER_TEXT_LENGTH_MAX } from '../../../packages/rules/limits.ts'
import type { Linkifier } from '../../../packages/client/src/wire-types.ts'
import { useApp } from '../../app/app.ts'
import { TextField } from '../../ui/fields.tsx'
import { PartForm } from '../../ui/part-form.tsx'
import { useFormField } from '../../ui/use-form-field.ts'
import { t } from '../../texts/texts.ts'

const FORM = 'new linkifier'

interface LinkifierFormProps {
  /** Undefined for a new one. */
  readonly linkifier?: Linkifier
  readonly onClose: () => void
}

export function LinkifierForm({ linkifier, onClose }: LinkifierFormProps) {
  const { api } = useApp()
  const form = linkifier ? undefined : FORM
  const pattern = useFormField(form, 'pattern', linkifier?.pattern ?? '')
  const template = useFormField(form, 'template', linkifier?.url_template ?? '')
  const example = useFormField(form, 'example', linkifier?.example_input ?? '')
  const reverse = useFormField(form, 'reverse', linkifier?.reverse_template ?? '')
  const save = () => {
    const given = {
      pattern: pattern.value,
      url_template: template.value,
      example_input: example.value,
      reverse_template: reverse.value,
      alternative_url_templates: linkifier?.alternative_url_templates,
    }
    return linkifier
      ? api.call('PATCH /realm/filters/{filter_id}', { filter_id: linkifier.id, ...given })
      : api.call('POST /realm/filters', given)
  }
  const shared = { maxLength: LINKIFIER_TEXT_LENGTH_MAX, dir: 'ltr' } as const
  return (
    <PartForm form={FORM} onSave={save} onClose={onClose}>
      <div class="setting-grid">
        <TextField
          label={t('Pattern')}
          value={pattern}
          required
          hint={t('A regular expression. Use named groups such as (?P<id>[0-9]+) in the link.')}
          placeholder="#(?P<id>[0-9]+)"
          {...shared}
        />
        <TextField
          label={t('Link')}
          value={template}
          required
          hint={t('The address, with {id} for the group of that name.')}
          placeholder="https://tickets.example.com/{id}"
          {...shared}
        />
        <TextField
          label={t('Example')}
          value={example}
          hint={t('Text that matches the pattern, shown to people.')}
          placeholder="#123"
          {...shared}
        />
        <TextField
          label={t('Text for pasted links')}
          value={reverse}
          hint={t('Pasted links turn into this text. It must produce the example again.')}
          placeholder="#{id}"
          {...shared}
        />
      </div>
    </PartForm>
  )
}
