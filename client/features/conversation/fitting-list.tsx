/** The best matches of a search, the best one first. */

import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import type { Message } from '../../../packages/client/src/wire-types.ts'
import { type App, useApp } from '../../app/app.ts'
import { keyOf, type Narrow, toApi } from '../../store/narrows/narrow.ts'
import { Waiting } from '../../ui/waiting.tsx'
import { ListTools } from '../message/list-tools.ts'
import { MessageDialogs } from '../message/message-dialogs.tsx'
import { LoadProblem } from './load-problem.tsx'
import { MessageRow } from './message-row.tsx'
import { NoMessages } from './no-messages.tsx'
import { PlaceOf } from './place-row.tsx'
import { heldNarrow } from './search-order.ts'
import { t } from '../../texts/texts.ts'

/** Messages of the list: the further down, the less they fit. */
const COUNT = 50

/** The result of a search by fit. */
interface Found {
  readonly ids: readonly number[]
  readonly rankedCount: number
  readonly isAll: boolean
}

export function FittingList({ narrow }: { readonly narrow: Narrow }) {
  const app = useApp()
  const tools = useMemo(() => new ListTools(app), [])
  const found = useSignal<Found | undefined>(undefined)
  const problem = useSignal<unknown>(undefined)
  const attempt = useSignal(0)
  const held = heldNarrow(narrow)
  useEffect(() => {
    const hide = app.messages.show(held)
    let isLeft = false
    found.value = undefined
    problem.value = undefined
    load(app, narrow).then(
      (one) => !isLeft && (found.value = one),
      (error: unknown) => !isLeft && (problem.value = error),
    )
    return () => {
      isLeft = true
      hide()
    }
  }, [keyOf(narrow), attempt.value])
  const byId = new Map(app.messages.window(held).value.messages.map((one) => [one.id, one]))
  const messages = (found.value?.ids ?? []).flatMap((id): Message | readonly [] => byId.get(id) ?? [])
  return (
    <div
      class="list collection"
      role="region"
      data-rows
      aria-label={t('Messages')}
      tabIndex={-1}
      {...tools.props}
    >
      <div class="list-rows">
        {problem.value !== undefined && <LoadProblem error={problem.value} onRetry={() => attempt.value++} />}
        {!found.value && problem.value === undefined && <Waiting text={t('Loading messages…')} isForRows />}
        {found.value && messages.length === 0 && <NoMessages narrow={narrow} isResults />}
        {messages.map((message) => [
          <PlaceOf key={`place-${message.id}`} message={message} isInChannel={false} />,
          <MessageRow key={message.id} message={message} hasHead />,
        ])}
        {found.value && !found.value.isAll && (
          <p class="empty">
            {t(
              'Compared the {count, plural, one {newest match} other {# newest matches}}. A channel, a person or another word finds older ones.',
              {
                count: found.value.rankedCount,
              },
            )}
          </p>
        )}
      </div>
      <MessageDialogs />
    </div>
  )
}

async function load(app: App, narrow: Narrow): Promise<Found> {
  const { messages: store } = app
  const begun = store.beginLoad()
  try {
    const page = await app.api.call('GET /messages', {
      narrow: toApi(narrow),
      sort: 'fit',
      num_before: COUNT,
      apply_markdown: true,
      allow_empty_topic_name: true,
    })
    store.addPage(begun, heldNarrow(narrow), 'instead', {
      messages: page.messages.toSorted((a, b) => a.id - b.id),
    })
    const { ranked_count: rankedCount = 0, found_all: isAll = true } = page
    return { ids: page.messages.map(({ id }) => id), rankedCount, isAll }
  } catch (error) {
    store.endLoad(begun)
    throw error
  }
}
