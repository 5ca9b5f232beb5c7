/** Narrows in addresses: the segments after `#narrow/`, as in the links of rendered messages. */

import { currentSpelling } from '../../../packages/rules/narrows.ts'
import { decodeSegment, encodeSegment } from './fragment-text.ts'
import { ascending, type Narrow, type Operator, type Term } from './narrow.ts'

/** Names beside ids in addresses, for people who read them. */
export interface AddressNames {
  channelName(id: number): string | undefined
}

/** The address of a narrow, without `#`. */
export function writeNarrow(narrow: Narrow, names: AddressNames): string {
  const segments = narrow.flatMap((one) => [
    `${one.isNegated ? '-' : ''}${one.operator}`,
    writeOperand(one, names),
  ])
  return ['narrow', ...segments].join('/')
}

function writeOperand({ operator, operand }: Term, names: AddressNames): string {
  if (operator === 'channel' && typeof operand === 'number') {
    const name = names.channelName(operand)
    return name === undefined ? String(operand) : encodeSegment(`${operand}-${name.replaceAll(' ', '-')}`)
  }
  return typeof operand === 'object' ? operand.join() : encodeSegment(String(operand))
}

/** Reads the segments after `narrow`; undefined if they are no narrow. */
export function readNarrow(segments: readonly string[]): Narrow | undefined {
  const terms: Term[] = []
  let index = 0
  while (index < segments.length) {
    const written = segments[index] as string
    const isNegated = written.startsWith('-')
    const spelling = isNegated ? written.slice(1) : written
    const operator = currentSpelling(spelling)
    // A link to the topic without a name may lack its segment.
    const isNameless = operator === 'topic' && isNamelessTopic(segments.slice(index + 1))
    const operand = isNameless ? '' : decodeSegment(segments[index + 1] ?? '')
    if (operand === undefined) return undefined
    const value = readOperand(operator as Operator, operand)
    if (value === undefined) return undefined
    terms.push({ operator, operand: value, isNegated } as Term)
    index += isNameless ? 1 : 2
  }
  return terms
}

/** Whether only an operator with its operand follows, as in `topic/with/55`. */
function isNamelessTopic([operator, operand]: readonly string[]): boolean {
  const isPlace = operator === 'with' || operator === 'near'
  return isPlace && operand !== undefined && readId(operand) !== undefined
}

function readOperand(operator: Operator, operand: string): Term['operand'] | undefined {
  switch (operator) {
    case 'channel':
      return readSlugId(operand) ?? operand
    case 'sender':
      return readSlugId(operand) ?? operand
    case 'dm':
    case 'dm-including':
      return readIds(operand)
    case 'id':
    case 'near':
    case 'with':
      return readId(operand)
    case 'topic':
    case 'channels':
    case 'is':
    case 'in':
    case 'has':
    case 'search':
      return operand
    default:
      operator satisfies never
      return undefined
  }
}

/** Ids with at most 15 digits are exact numbers. */
function readId(text: string): number | undefined {
  return /^[0-9]{1,15}$/.test(text) ? Number(text) : undefined
}

/** The id in `5`, or in `5-name`. */
function readSlugId(text: string): number | undefined {
  const end = text.indexOf('-')
  return readId(end < 0 ? text : text.slice(0, end))
}

/** The ids in `4,5`, or in `4,5-group`; it may be empty. */
function readIds(text: string): number[] | undefined {
  const end = text.indexOf('-')
  const written = (end < 0 ? text : text.slice(0, end)).split(',').filter((part) => part !== '')
  const ids = written.map(readId)
  return ids.includes(undefined) ? undefined : ascending(ids as number[])
}
