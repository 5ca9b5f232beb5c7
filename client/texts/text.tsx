/** A text with elements inside: `<Text of="Read <0>the guide</0> first" parts={[<a href="/guide" />]} />`. */

import { cloneElement, type ComponentChild, type VNode } from 'preact'
import type { Values } from '../../packages/texts/icu.ts'
import { t } from './texts.ts'

/** Stands for `<` in a value, so that a value is never read as an element. */
const BRACKET = '\uE000'

export function Text({
  of,
  parts,
  values = {},
}: {
  readonly of: string
  /** `<0>…</0>` becomes the first of them around its text, `<1/>` the second as it is. */
  readonly parts: readonly VNode[]
  readonly values?: Values
}) {
  const safe = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.replaceAll('<', BRACKET) : value,
  ])
  return <>{place(t(of, Object.fromEntries(safe) as Values), parts)}</>
}

function place(text: string, parts: readonly VNode[]): ComponentChild[] {
  const children: ComponentChild[] = []
  let at = 0
  for (const match of text.matchAll(/<(\d+)(?:\/>|>(.*?)<\/\1>)/gs)) {
    const [whole, index, inside] = match
    const part = parts[Number(index)]
    children.push(text.slice(at, match.index).replaceAll(BRACKET, '<'))
    if (part) children.push(inside === undefined ? part : cloneElement(part, {}, place(inside, parts)))
    at = match.index + whole.length
  }
  children.push(text.slice(at).replaceAll(BRACKET, '<'))
  return children
}
