/** The parameters of a linkifier. */

import type { GivenLinkifier } from '../../../decisions/organization/change-linkifiers.ts'
import { ALTERNATIVE_TEMPLATES_MAX, LINKIFIER_TEXT_LENGTH_MAX } from '../../../domain/limits.ts'
import { anyOf, list, oneOf, optional, required, type Type, text, type ValuesOf } from '../../params.ts'

const partType = text({ lengthMax: LINKIFIER_TEXT_LENGTH_MAX, trim: true })

/** A text; null if it is empty. */
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
    'A regular expression in the syntax of RE2. The template can use its named groups, such as `(?P<id>[0-9]+)`.',
  ),
  url_template: required(
    partType,
    'The address of the link: a URL template by RFC 6570, in which `{id}` stands for the group `id`.',
  ),
  reverse_template: optional(
    textOrNull,
    'The text that clients insert for a pasted link, with `{id}` for the group `id`, and `{{` and `}}` for ' +
      'braces. It must give the example again.',
  ),
  example_input: optional(textOrNull, 'A text that the pattern matches.'),
  alternative_url_templates: optional(
    anyOf(oneOf(''), list(partType, { lengthMax: ALTERNATIVE_TEMPLATES_MAX })),
    'Templates of further links that clients turn into that text.',
  ),
}
type LinkifierValues = ValuesOf<typeof linkifierParams>

/** A linkifier from the parameters. */
export function readLinkifier({
  pattern,
  url_template: urlTemplate,
  example_input: exampleInput,
  reverse_template: reverseTemplate,
  alternative_url_templates: alternatives,
}: LinkifierValues): GivenLinkifier {
  const alternativeUrlTemplates = alternatives === '' ? [] : alternatives
  return { pattern, urlTemplate, exampleInput, reverseTemplate, alternativeUrlTemplates }
}
