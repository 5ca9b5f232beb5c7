/** Linkifiers: texts such as #123 that become links. */

import { useSignal } from '@preact/signals'
import type { Linkifier } from '../../../packages/client/src/wire-types.ts'
import { useApp, useState } from '../../app/app.ts'
import { OrderedList } from '../../ui/ordered-list.tsx'
import { showError } from '../../ui/toasts.tsx'
import { LinkifierForm } from './linkifier-form.tsx'
import { RenderTest } from './render-test.tsx'
import { t } from '../../texts/texts.ts'

export function LinkifiersSection() {
  const { api } = useApp()
  const state = useState()
  const editedId = useSignal<number | 'new' | undefined>(undefined)
  const linkifiers = state.realm_linkifiers ?? []
  /** Not another form, which was opened before the reply to the former came. */
  const close = (id: number | 'new') => {
    if (editedId.peek() === id) editedId.value = undefined
  }
  const remove = (id: number) =>
    api.call('DELETE /realm/filters/{filter_id}', { filter_id: id }).catch(showError)
  return (
    <>
      <section class="settings-part" aria-labelledby="linkifiers">
        <div class="page-title">
          <h2 id="linkifiers">{t('Linkifiers')}</h2>
          {state.is_admin && editedId.value === undefined && (
            <button class="button" onClick={() => (editedId.value = 'new')}>
              {t('New linkifier')}
            </button>
          )}
        </div>
        <p class="quiet-text">
          {t('Turn parts of messages, such as ticket numbers, into links. The first match wins.')}
        </p>
        {editedId.value === 'new' && <LinkifierForm onClose={() => close('new')} />}
        {linkifiers.length === 0 && editedId.value === undefined && (
          <p class="empty">{t('No linkifiers yet')}</p>
        )}
        <OrderedList
          label={t('Linkifiers')}
          isFixed={!state.is_admin || linkifiers.length < 2}
          onOrder={(ids) => api.call('PATCH /realm/linkifiers', { ordered_linkifier_ids: ids })}
          items={linkifiers.map((one) => ({
            id: one.id,
            name: one.pattern,
            content:
              editedId.value === one.id ? (
                <LinkifierForm linkifier={one} onClose={() => close(one.id)} />
              ) : (
                <LinkifierText linkifier={one}>
                  {state.is_admin && (
                    <>
                      <button
                        class="button small"
                        aria-label={t('Edit {pattern}', { pattern: one.pattern })}
                        onClick={() => (editedId.value = one.id)}
                      >
                        {t('Edit')}
                      </button>
                      <button
                        class="button small danger"
                        aria-label={t('Remove {pattern}', { pattern: one.pattern })}
                        onClick={() => void remove(one.id)}
                      >
                        {t('Remove')}
                      </button>
                    </>
                  )}
                </LinkifierText>
              ),
          }))}
        />
      </section>
      <RenderTest />
    </>
  )
}

interface LinkifierTextProps {
  readonly linkifier: Linkifier
  readonly children: preact.ComponentChildren
}

function LinkifierText({ linkifier, children }: LinkifierTextProps) {
  return (
    <>
      <div class="card-text">
        <code class="card-name">{linkifier.pattern}</code>
        <span class="card-about">{linkifier.url_template}</span>
        {linkifier.example_input !== null && (
          <small>{t('Example: {example}', { example: linkifier.example_input })}</small>
        )}
      </div>
      {children}
    </>
  )
}
