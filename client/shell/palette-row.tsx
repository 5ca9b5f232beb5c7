/** One entry of the palette; the matched letters are bold. */

import { DirectFace } from '../features/people/direct-face.tsx'
import { ChannelMark } from '../ui/channel-mark.tsx'
import { Count } from '../ui/count.tsx'
import { Icon } from '../ui/icon.tsx'
import { keyNames } from '../ui/keys.ts'
import type { PaletteItem } from './palette-items.ts'
import { Text } from '../texts/text.tsx'

interface PaletteRowProps {
  readonly id: string
  readonly item: PaletteItem
  readonly isActive: boolean
  readonly onPoint: () => void
  readonly onChoose: () => void
}

export function PaletteRow({ id, item, isActive, onPoint, onChoose }: PaletteRowProps) {
  return (
    <div
      id={id}
      role="option"
      tabIndex={-1}
      class="palette-row"
      aria-selected={isActive}
      onPointerMove={isActive ? undefined : onPoint}
      // The field keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      <Content item={item} />
    </div>
  )
}

function Content({ item }: { readonly item: PaletteItem }) {
  if (item.kind === 'search')
    return (
      <>
        <span class="lead">
          <Icon name="search" />
        </span>
        <span class="palette-name">
          <Text of="Search messages for “<0/>”" parts={[<bdi>{item.query}</bdi>]} />
        </span>
        <Keys keys="Ctrl Enter" />
      </>
    )
  if (item.kind === 'saved')
    return (
      <>
        <span class="lead">
          <Icon name="star" />
        </span>
        <bdi class="palette-name">{item.name}</bdi>
      </>
    )
  if (item.kind === 'command') {
    const { name, detail, keys, icon } = item.command
    return (
      <>
        <span class="lead">
          <Icon name={icon} />
        </span>
        <Name name={name} marks={item.marks} />
        <small dir="auto">{detail}</small>
        <Keys keys={keys} />
      </>
    )
  }
  const { kind, name, detail, channelId, otherIds, marks, unreadCount, isCall } = item.place
  return (
    <>
      <span class="lead">
        {kind === 'person' && <DirectFace otherIds={otherIds} showsPresence />}
        {kind === 'topic' && <Icon name="topic" />}
        {kind === 'channel' && channelId !== undefined && <ChannelMark channelId={channelId} />}
      </span>
      <Name name={name} marks={marks} />
      <small dir="auto">{detail}</small>
      <Count count={unreadCount} isImportant={isCall} />
    </>
  )
}

function Keys({ keys }: { readonly keys: string }) {
  if (keys === '') return null
  return (
    <span class="palette-keys" aria-hidden="true">
      {keyNames(keys).map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  )
}

/** A name whose matched letters are bold. */
function Name({ name, marks }: { readonly name: string; readonly marks: ReadonlySet<number> }) {
  const parts: { text: string; isMarked: boolean }[] = []
  for (const [index, letter] of Array.from(name).entries()) {
    const isMarked = marks.has(index)
    const last = parts.at(-1)
    if (last?.isMarked === isMarked) last.text += letter
    else parts.push({ text: letter, isMarked })
  }
  return (
    <bdi class="palette-name">
      {parts.map(({ text, isMarked }, index) => (isMarked ? <b key={index}>{text}</b> : text))}
    </bdi>
  )
}
