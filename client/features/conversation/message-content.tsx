/** The text of a message, as the server rendered it; found words are marked after a search. */

import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import type { Message } from '../../../packages/client/src/wire-types.ts'
import { useApp } from '../../app/app.ts'
import { ownGroupIds } from '../../store/derived/judged.ts'
import { hydrate, isLong } from '../message/hydrate.ts'
import { lazy } from '../../ui/lazy.tsx'
import { ServerHtml } from '../../ui/server-html.tsx'
import { t } from '../../texts/texts.ts'
import { useSteadyText } from './use-steady-text.ts'

const Widget = lazy(async () => (await import('../message/widget.tsx')).Widget)

/** Previews that the server fetched from others. */
const PREVIEWS = '.message_embed, .message_inline_image:has([src^="/external_"])'

export function MessageContent({ message }: { readonly message: Message }) {
  const app = useApp()
  const isUnfolded = useSignal(false)
  const { content, match_content: found, is_me_message: isMe, flags } = message
  const html = useSteadyText(message, found ?? content)
  const prepare = useMemo(() => {
    const hasAlertWord = flags.includes('has_alert_word')
    return (body: HTMLElement) => {
      const state = app.state.peek()
      if (state.user_settings?.parley_show_link_previews === false)
        for (const one of body.querySelectorAll(PREVIEWS)) one.remove()
      hydrate(body, {
        ownId: app.ownId,
        ownGroupIds: ownGroupIds(state),
        alertWords: hasAlertWord ? (state.alert_words ?? []) : [],
        isMe,
        isVisitor: app.isVisitor,
      })
    }
  }, [html, isMe])
  const isFolded = useMemo(() => isLong(html), [html]) && !isUnfolded.value
  if (message.submessages.length > 0) return <Widget message={message} />
  return (
    <>
      <ServerHtml class={isFolded ? 'rendered folded' : 'rendered'} html={html} prepare={prepare} />
      {isFolded && (
        <button type="button" class="button unfold" onClick={() => (isUnfolded.value = true)}>
          {t('Show full message')}
        </button>
      )}
    </>
  )
}
