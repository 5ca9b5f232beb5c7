/** What a linkifier is made of, as parameters. */

import {
  findLinkifierFaults,
  type LinkifierFault,
} from '../../../../workers/pool/markdown/check-linkifier.ts'
import { ALTERNATIVE_TEMPLATES_MAX, LINKIFIER_TEXT_LENGTH_MAX } from '../../../domain/limits.ts'
import type { Linkifier } from '../../../domain/organization-lists.ts'
import type { Fail } from '../../../errors/api-error.ts'
import { anyOf, list, oneOf, optional, required, type Type, text, type ValuesOf } from '../../params.ts'

const partType = text({ lengthMax: LINKIFIER_TEXT_LENGTH_MAX, trim: true })

/** A text, or null where nothing is to be there. */
const textOrNull: Type<string | null> = {
  isText: true,
  schema: { anyOf: [partType.schema, { type: 'null' }] },
  check(value, name) {
    const checked = partType.check(value, name)
    return checked === '' || checked === 'null' ? null : checked
  },
}

/** The parameters of a linkifier. */
export const linkifierParams = {
  pattern: required(
    partType,
    'A regular expression in the syntax of RE2. The template takes its named groups, such as `(?P<id>[0-9]+)`.',
  ),
  url_template: required(
    partType,
    'Where a match leads: a URL template by RFC 6570, in which `{id}` stands for the group `id`.',
  ),
  reverse_template: optional(
    textOrNull,
    'What clients make of such a link that is pasted: text with `{id}` for the group `id`, and `{{` and `}}` for ' +
      'braces. It must make the example again.',
  ),
  example_input: optional(textOrNull, 'A text that the pattern matches.'),
  alternative_url_templates: optional(
    anyOf(oneOf(''), list(partType, { lengthMax: ALTERNATIVE_TEMPLATES_MAX })),
    'Templates of further links of which clients make that text.',
  ),
}
type LinkifierValues = ValuesOf<typeof linkifierParams>

/** A linkifier as the parameters have it; what is not given stays as it is. */
export function readLinkifier(params: LinkifierValues, present?: Linkifier): Omit<Linkifier, 'id'> {
  const { example_input: example, reverse_template: reverse, alternative_url_templates: others } = params
  return {
    pattern: params.pattern,
    urlTemplate: params.url_template,
    exampleInput: example === undefined ? (present?.exampleInput ?? null) : example,
    reverseTemplate: reverse === undefined ? (present?.reverseTemplate ?? null) : reverse,
    alternativeUrlTemplates: others === '' ? [] : (others ?? present?.alternativeUrlTemplates ?? []),
  }
}

const PART_NAMES: Readonly<Record<LinkifierFault['part'], string>> = {
  pattern: 'pattern',
  urlTemplate: 'url_template',
  alternativeUrlTemplates: 'alternative_url_templates',
  exampleInput: 'example_input',
  reverseTemplate: 'reverse_template',
  whole: '__all__',
}

/** Throws where a linkifier is wrong in itself, or has the pattern of another. */
export function checkLinkifier(
  linkifier: Omit<Linkifier, 'id'>,
  others: readonly Linkifier[],
  fail: Fail<'LINKIFIER_INVALID'>,
): void {
  const faults = [...findLinkifierFaults(linkifier)]
  if (faults.length === 0 && others.some(({ pattern }) => pattern === linkifier.pattern))
    faults.push({ part: 'whole', message: 'Realm filter with this Realm and Pattern already exists.' })
  if (faults.length === 0) return
  throw fail('LINKIFIER_INVALID', {
    errors: Object.fromEntries(faults.map(({ part, message }) => [PART_NAMES[part], [message]])),
  })
}
