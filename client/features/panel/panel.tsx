/** The panel beside a conversation: what it is about, its people, and its files. */

import { type Narrow, splitNear } from '../../store/narrows/narrow.ts'
import { Icon } from '../../ui/icon.tsx'
import { ChannelPanel } from './channel-panel.tsx'
import { DirectPanel } from './direct-panel.tsx'
import { TopicPanel } from './topic-panel.tsx'
import { useApp } from '../../app/app.ts'
import { usePhone } from '../../ui/use-phone.ts'
import { t } from '../../texts/texts.ts'

export function Panel({ narrow: given }: { readonly narrow: Narrow }) {
  const { panelIsOpen } = useApp().device
  const { narrow } = splitNear(given)
  const isAlone = usePhone()
  // On a phone it stands in place of the conversation, and is the content.
  const Frame = isAlone ? 'main' : 'aside'
  return (
    <Frame class="panel" aria-label={t('Details')}>
      {isAlone && <h1 class="hidden">{t('About this conversation')}</h1>}
      <header class="head">
        <h2>{t('Details')}</h2>
        <div class="tools">
          <button
            class="ghost"
            aria-label={t('Close')}
            title={t('Close')}
            onClick={() => (panelIsOpen.value = false)}
          >
            <Icon name="close" />
          </button>
        </div>
      </header>
      <div class="panel-body">
        <Content narrow={narrow} />
      </div>
    </Frame>
  )
}

function Content({ narrow }: { readonly narrow: Narrow }) {
  const [first] = narrow
  const topic = narrow.find(({ operator }) => operator === 'topic')
  if (first?.operator === 'dm') return <DirectPanel otherIds={first.operand} />
  if (first?.operator !== 'channel' || typeof first.operand !== 'number') return null
  if (topic?.operator === 'topic') return <TopicPanel channelId={first.operand} topic={topic.operand} />
  return <ChannelPanel channelId={first.operand} />
}
