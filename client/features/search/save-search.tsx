/** Keeps a search in the account, so that each device offers it. */

import { useApp, useState } from '../../app/app.ts'
import type { Narrow } from '../../store/narrows/narrow.ts'
import { writeSearch } from '../../store/search/write-search.ts'
import { Icon } from '../../ui/icon.tsx'
import { showError } from '../../ui/toasts.tsx'
import { t } from '../../texts/texts.ts'

/** Characters of a name; the server takes some more. */
const NAME_LENGTH_MAX = 60

export function SaveSearch({ narrow }: { readonly narrow: Narrow }) {
  const { api, router } = useApp()
  const state = useState()
  const fragment = router.hrefOf({ view: 'narrow', narrow }).slice(1)
  const isSaved = state.navigation_views?.some((one) => one.fragment === fragment) ?? false
  const save = () =>
    isSaved
      ? api.call('DELETE /navigation_views/{fragment}', { fragment })
      : api.call('POST /navigation_views', {
          fragment,
          is_pinned: true,
          name: Array.from(writeSearch(state, narrow)).slice(0, NAME_LENGTH_MAX).join(''),
        })
  return (
    <button
      class="filter-chip save-search"
      aria-pressed={isSaved}
      onClick={() => void save().catch(showError)}
    >
      <Icon name="star" />
      {isSaved ? t('Saved') : t('Save')}
    </button>
  )
}
