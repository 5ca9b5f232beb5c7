/** Drafts: messages that were begun, on any device. */

import type { Draft } from '../../../packages/client/src/wire-types.ts'
import { useApp, useState } from '../../app/app.ts'
import { RareIcon } from '../../ui/rare-icon.tsx'
import { showToast, showError } from '../../ui/toasts.tsx'
import { fullTime, shortTime } from '../../ui/times.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListView } from './list-view.tsx'
import { PlaceName, placeOfUnsent } from './place-name.tsx'
import { t } from '../../texts/texts.ts'

export function Drafts() {
  const { drafts = [] } = useState()
  return (
    <ListView
      title={t('Drafts')}
      about={
        drafts.length === 0
          ? ''
          : t('{count, plural, one {# draft} other {# drafts}}', { count: drafts.length })
      }
    >
      {drafts.length === 0 ? (
        <EmptyState icon="pen" title={t('No drafts')}>
          <p>{t('Messages you start but don’t send appear here.')}</p>
        </EmptyState>
      ) : (
        <ul class="group">
          {drafts.toReversed().map((draft) => (
            <Line key={draft.id} draft={draft} />
          ))}
        </ul>
      )}
    </ListView>
  )
}

function Line({ draft }: { readonly draft: Draft }) {
  const app = useApp()
  const { user_id: ownId = 0 } = useState()
  const { id, type, to, topic, content, timestamp } = draft
  const found = placeOfUnsent(draft, ownId)
  const restore = () =>
    void app.api.call('POST /drafts', { drafts: [{ type, to, topic, content, timestamp }] }).catch(showError)
  const remove = () =>
    app.api
      .call('DELETE /drafts/{draft_id}', { draft_id: id })
      .then(() => showToast(t('Draft deleted'), { text: t('Undo'), run: restore }), showError)
  const parts = (
    <>
      {found ? <PlaceName place={found.place} /> : <b class="place-name">{t('No recipient yet')}</b>}
      <span class="said" dir="auto">
        {content}
      </span>
      <time title={fullTime(timestamp)}>{shortTime(timestamp, app.minute.value)}</time>
    </>
  )
  return (
    <li class="line-row">
      {found ? (
        <a class="line" data-row href={app.router.hrefOf({ view: 'narrow', narrow: found.narrow })}>
          {parts}
        </a>
      ) : (
        <div class="line">{parts}</div>
      )}
      <button
        class="ghost"
        aria-label={t('Delete draft')}
        title={t('Delete draft')}
        onClick={() => void remove()}
      >
        <RareIcon name="trash" />
      </button>
    </li>
  )
}
