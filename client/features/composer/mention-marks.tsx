/**
 * Marks mentions while a message is written: a layer behind the field has the same text, without its color, and a ground
 * behind each mention. So the field stays plain text, with its own undo, cursor and screen readers.
 */

import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { useState } from '../../app/app.ts'
import { findMentions } from '../../store/composing/find-mentions.ts'

interface MentionMarksProps {
  readonly area: RefObject<HTMLTextAreaElement | null>
  readonly content: string
}

export function MentionMarks({ area, content }: MentionMarksProps) {
  const pieces = findMentions(useState(), content)
  const hasMentions = pieces.some(({ isMention }) => isMention)
  const layer = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const [field, marks] = [area.current, layer.current]
    if (!field || !marks) return
    // The text may be longer than the field: both events come before the next frame is painted, so no key asks for a layout.
    const follow = () => {
      // Beside a scroll bar, lines are shorter.
      marks.style.width = `${field.clientWidth}px`
      marks.style.height = `${field.clientHeight}px`
      marks.scrollTop = field.scrollTop
    }
    const sizes = new ResizeObserver(follow)
    sizes.observe(field)
    field.addEventListener('scroll', follow, { passive: true })
    return () => {
      sizes.disconnect()
      field.removeEventListener('scroll', follow)
    }
  }, [hasMentions])
  if (!hasMentions) return null
  return (
    <div class="mention-marks" aria-hidden="true" ref={layer}>
      {pieces.map(({ text, isMention }, index) => (isMention ? <mark key={index}>{text}</mark> : text))}
      {/* The line after the last break has a height, too. */}
      {'\u200b'}
    </div>
  )
}
