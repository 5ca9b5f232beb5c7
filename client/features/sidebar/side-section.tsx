/** A section of the sidebar: a heading that folds it, and the sum of what is unread in it meanwhile. */

import type { ComponentChildren } from 'preact'
import { useApp } from '../../app/app.ts'
import { Icon } from '../../ui/icon.tsx'
import { RowCount } from './side-row.tsx'

interface SideSectionProps {
  /** Names the section among those that are folded on this device. */
  readonly id: string
  readonly heading: string
  readonly count: number
  readonly calls: number
  /** Beside the heading. */
  readonly tools?: ComponentChildren
  readonly children: (isFolded: boolean) => ComponentChildren
}

export function SideSection({ id, heading, count, calls, tools, children }: SideSectionProps) {
  const { foldedSections } = useApp().device
  const folded = foldedSections.value
  const isFolded = folded.includes(id)
  const toggle = () =>
    (foldedSections.value = isFolded ? folded.filter((one) => one !== id) : [...folded, id])
  return (
    // A group and no region: landmarks are for the parts of the page.
    <section role="group" aria-label={heading}>
      <h2>
        <button class="fold" aria-expanded={!isFolded} onClick={toggle}>
          <span dir="auto">{heading}</span>
          <Icon name="down" />
        </button>
        {isFolded && <RowCount count={count} calls={calls} />}
        {tools}
      </h2>
      {children(isFolded)}
    </section>
  )
}
